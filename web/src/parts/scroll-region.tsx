import type { ComponentChildren, Ref } from 'preact';

/** What scrolls inside the page can be reached and scrolled by keyboard. */
const REACHABLE = { tabIndex: 0 };

export function ScrollRegion({
  label,
  children,
  box,
  class: name,
  onScroll,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
  readonly class: string;
  readonly box?: Ref<HTMLElement>;
  readonly onScroll?: () => void;
}) {
  return (
    <section {...REACHABLE} ref={box ?? null} class={name} aria-label={label} onScroll={onScroll}>
      {children}
    </section>
  );
}
