import { expect, it } from 'vitest';
import { ByteSemaphore } from './byte-semaphore.js';

it('lets in so many and so much, a large one alone, and the next when one leaves', async () => {
  const room = new ByteSemaphore(() => 3, 100);
  const inside: string[] = [];
  const enter = async (name: string, bytes: number): Promise<void> => {
    await room.enter(bytes);
    inside.push(name);
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  void enter('large', 500);
  await turn();
  void enter('a', 60);
  await turn();
  expect(inside).toEqual(['large']);
  room.leave(500);
  await turn();
  expect(inside).toEqual(['large', 'a']);
  void enter('too much', 50);
  void enter('b', 20);
  void enter('c', 20);
  void enter('too many', 0);
  await turn();
  expect(inside).toEqual(['large', 'a', 'b', 'c']);
  room.leave(60);
  await turn();
  expect(inside).toHaveLength(5);
});
