import { useEffect, useRef, useState } from 'preact/hooks';
import { asProblem } from '../../answer.js';
import { type Problem, upload } from '../../api.js';
import { online } from '../../live.js';
import { useStore } from '../../store.js';
import type { DroppedFile } from './dropped-files.js';

/** What passes: a server that is gone, a full disk, another writer, too many requests. */
const PASSING = new Set(['OFFLINE', 'STORE_FAILED', 'STORE_BUSY', 'TOO_MANY']);
const AGAIN_MS = 10_000;

interface Uploads {
  /** Of those that are under way: which one, of how many. */
  readonly current: { readonly name: string; readonly at: number; readonly count: number } | null;
  /** Files that could not be kept for now. */
  readonly waiting: readonly DroppedFile[];
  add(files: readonly DroppedFile[]): void;
  again(): void;
}

/** Sends files one after the other. Those that fail for a reason that passes are kept, and sent again by themselves. */
export function useUploads<R>(
  onReport: (report: R, name: string) => void,
  onProblem: (problem: Problem, name: string) => void,
): Uploads {
  const [current, setCurrent] = useState<Uploads['current']>(null);
  const [waiting, setWaiting] = useState<readonly DroppedFile[]>([]);
  const isOnline = useStore(online);
  const busy = useRef(false);
  const send = async (files: readonly DroppedFile[]): Promise<void> => {
    busy.current = true;
    for (const [at, dropped] of files.entries()) {
      const { name, file } = dropped;
      setCurrent({ name, at, count: files.length });
      try {
        onReport(await upload<R>(name, file), name);
      } catch (error) {
        const problem = asProblem(error);
        onProblem(problem, name);
        if (PASSING.has(problem.code)) setWaiting((kept) => [...kept, dropped]);
      }
    }
    busy.current = false;
    setCurrent(null);
  };
  const again = (): void => {
    if (busy.current || waiting.length === 0) return;
    setWaiting([]);
    void send(waiting);
  };
  useEffect(() => {
    if (waiting.length === 0 || !isOnline || current !== null) return undefined;
    const timer = setTimeout(again, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [waiting, isOnline, current]);
  return { current, waiting, again, add: (files) => void send(files) };
}
