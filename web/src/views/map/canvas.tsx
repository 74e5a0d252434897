import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useT } from '../../i18n/i18n.js';
import { type Camera, draw, WHOLE } from './draw.js';
import { Grid, type Points } from './points.js';

interface CanvasProps {
  readonly points: Points;
  readonly colourOf: Uint8Array;
  readonly hits: ReadonlySet<number>;
  readonly onPoint: (index: number) => void;
}

const STEP = 0.12;

/** The map itself: drag, scroll, click, or by keyboard. Drawn once a frame, however often it is asked for. */
export function MapCanvas({ points, colourOf, hits, onPoint }: CanvasProps) {
  const t = useT();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [camera, setCamera] = useState<Camera>(WHOLE);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const grid = useMemo(() => new Grid(points), [points]);
  const drag = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  useEffect(() => {
    const box = canvas.current!.parentElement!;
    const look = (): void => setSize({ width: box.clientWidth, height: box.clientHeight });
    const sized = new ResizeObserver(look);
    sized.observe(box);
    look();
    return () => sized.disconnect();
  }, []);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (canvas.current && size.width > 0) draw(canvas.current, points, { camera, colourOf, hits });
    });
    return () => cancelAnimationFrame(frame);
  }, [camera, size, points, colourOf, hits]);

  const ratio = devicePixelRatio || 1;
  const scale = Math.min(size.width, size.height) * camera.zoom;
  const toMap = (x: number, y: number): [number, number] => [
    camera.x + (x - size.width / 2) / scale,
    camera.y + (y - size.height / 2) / scale,
  ];
  const zoomed = (factor: number, x = size.width / 2, y = size.height / 2): void => {
    const zoom = Math.min(200, Math.max(0.5, camera.zoom * factor));
    const [atX, atY] = toMap(x, y);
    const next = Math.min(size.width, size.height) * zoom;
    setCamera({ zoom, x: atX - (x - size.width / 2) / next, y: atY - (y - size.height / 2) / next });
  };
  const pick = (x: number, y: number, reach: number): void => {
    const found = grid.nearest(...toMap(x, y), reach / scale);
    if (found !== null) onPoint(found);
  };
  const pressed = (event: KeyboardEvent): void => {
    const move = (x: number, y: number): void =>
      setCamera({
        ...camera,
        x: camera.x + (x * STEP) / camera.zoom,
        y: camera.y + (y * STEP) / camera.zoom,
      });
    const actions: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => move(-1, 0),
      ArrowRight: () => move(1, 0),
      ArrowUp: () => move(0, -1),
      ArrowDown: () => move(0, 1),
      '+': () => zoomed(1.4),
      '=': () => zoomed(1.4),
      '-': () => zoomed(1 / 1.4),
      Enter: () => pick(size.width / 2, size.height / 2, Math.max(size.width, size.height)),
      '0': () => setCamera(WHOLE),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
  const moved = (event: PointerEvent): void => {
    const from = drag.current;
    if (from === null) return;
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (!from.moved && Math.hypot(dx, dy) < 4) return;
    drag.current = { x: event.clientX, y: event.clientY, moved: true };
    setCamera({ ...camera, x: camera.x - dx / scale, y: camera.y - dy / scale });
  };
  const released = (event: PointerEvent): void => {
    const wasClick = drag.current !== null && !drag.current.moved;
    drag.current = null;
    const box = canvas.current!.getBoundingClientRect();
    if (wasClick) pick(event.clientX - box.left, event.clientY - box.top, 14);
  };
  const wheeled = (event: WheelEvent): void => {
    event.preventDefault();
    const box = canvas.current!.getBoundingClientRect();
    zoomed(Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top);
  };
  return (
    <div class="map-box">
      <canvas
        ref={canvas}
        {...{ tabIndex: 0, role: 'application' }}
        width={Math.round(size.width * ratio)}
        height={Math.round(size.height * ratio)}
        aria-label={t('map.canvas', { count: points.count })}
        onKeyDown={pressed}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { x: event.clientX, y: event.clientY, moved: false };
        }}
        onPointerMove={moved}
        onPointerUp={released}
        onWheel={wheeled}
      />
      <div class="zoom">
        <button type="button" aria-label="+" onClick={() => zoomed(1.5)}>
          +
        </button>
        <button type="button" aria-label="−" onClick={() => zoomed(1 / 1.5)}>
          −
        </button>
        <button type="button" onClick={() => setCamera(WHOLE)}>
          {t('map.reset')}
        </button>
      </div>
    </div>
  );
}
