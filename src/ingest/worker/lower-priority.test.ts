import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const asked = (before: number): number => {
  const module = fileURLToPath(new URL('../../../dist/ingest/worker/lower-priority.js', import.meta.url));
  const script = `import { getPriority, setPriority } from 'node:os';
    const { lowerPriority } = await import(${JSON.stringify(module)});
    setPriority(0, ${before}); lowerPriority(); process.stdout.write(String(getPriority(0)));`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
};

it('B6 a process that writes gives way to readers, and a nicer one stays as it is', () => {
  expect(asked(0)).toBe(5);
  expect(asked(12)).toBe(12);
});
