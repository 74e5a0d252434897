export function countingProxy(
  url: string,
  delay_ms?: number,
): Promise<{ readonly url: string; readonly counted: { trips: number; bytes: number }; close(): void }>;
