import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PostingList } from '../index/postings.js';
import { PostingPool } from './posting-pool.js';

const count = fc.oneof(fc.nat(2), fc.nat(300), fc.integer({ min: 0, max: 2 ** 20 }));
const posting = fc.record({
  list: fc.nat(5),
  distance: fc.oneof(fc.nat(3), fc.nat(2 ** 20)),
  body: count,
  title: count,
});

it('lists that grow side by side are read as they were written', () => {
  fc.assert(
    fc.property(fc.array(posting, { maxLength: 400 }), fc.nat(2 ** 31), (postings, first) => {
      const pool = new PostingPool();
      const lists = Array.from({ length: 6 }, () => pool.open());
      const expected = lists.map((): number[][] => []);
      let unit = first;
      for (const { list, distance, body, title } of postings) {
        unit += distance;
        pool.push(lists[list]!, unit, body, title);
        expected[list]!.push([unit, body, title]);
      }
      const read = new PostingList(1);
      for (const [at, list] of lists.entries()) {
        pool.read(list, read);
        const got = Array.from({ length: read.length }, (_, i) => [
          read.units[i],
          read.body[i],
          read.title[i],
        ]);
        expect(got).toEqual(expected[at]);
      }
    }),
  );
});

it('thousands of lists, and long ones, over many pages', () => {
  const pool = new PostingPool();
  const lists = Array.from({ length: 5_000 }, () => pool.open());
  for (let unit = 0; unit < 40; unit++) for (const list of lists) pool.push(list, unit * 1_000, list + 1, 0);
  for (let unit = 40_000; unit < 90_000; unit++) pool.push(lists[7]!, unit, 1, 0);
  const read = new PostingList(1);
  pool.read(lists[4_321]!, read);
  expect(read.length).toBe(40);
  expect([...read.body.subarray(0, 40)]).toEqual(new Array(40).fill(4_322));
  pool.read(lists[7]!, read);
  expect(read.length).toBe(50_040);
  expect(read.units[50_039]).toBe(89_999);
});
