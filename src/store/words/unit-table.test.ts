import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ByteWriter } from '../bytes.js';
import { encodePostings, PostingList } from '../index/postings.js';
import { PAGE_UNITS, UnitPage } from './unit-page.js';
import { UnitTable } from './unit-table.js';

const uuid = (unit: number): string => `00000000-0000-4000-8000-${unit.toString(16).padStart(12, '0')}`;

/** A page with these of its units alive; no data when there is none. */
function pageOf(page: number, live: readonly number[]): Uint8Array {
  if (live.length === 0) return new Uint8Array();
  const content = new UnitPage();
  for (const at of live) {
    const unit = page * PAGE_UNITS + at;
    content.set(at, { type: 3, item: unit % 7, body_length: unit, title_length: 1, norm: 1, id: uuid(unit) });
  }
  return content.encode(page);
}

it('slots ascend as units do, whichever pages come, go and come again, and take no more room than is used', () => {
  const live = fc.uniqueArray(fc.nat(PAGE_UNITS - 1), { maxLength: 3 });
  const load = fc.uniqueArray(fc.tuple(fc.nat(30), live), { selector: ([page]) => page, maxLength: 12 });
  fc.assert(
    fc.property(fc.array(load, { maxLength: 12 }), (loads) => {
      const table = new UnitTable();
      const pages = new Map<number, readonly number[]>();
      for (const rows of loads) {
        table.load(rows.map(([page, own]) => [page, pageOf(page, own)]));
        for (const [page, own] of rows) pages.set(page, own);
        const units = [...pages]
          .flatMap(([page, own]) => own.map((at) => page * PAGE_UNITS + at))
          .sort((a, b) => a - b);
        const slots = units.map((unit) => table.slot(unit));
        expect(slots).toEqual([...slots].sort((a, b) => a - b));
        expect(slots.map((slot) => table.id(slot))).toEqual(units.map(uuid));
        expect(slots.map((slot) => table.items[slot])).toEqual(units.map((unit) => unit % 7));
        expect(table.stats('chunk')).toEqual({
          units: units.length,
          body_length: units.reduce((sum, unit) => sum + unit, 0),
          title_length: units.length,
        });
        const used = [...pages.values()].filter((own) => own.length > 0).length * PAGE_UNITS;
        expect(table.size * 3).toBeLessThanOrEqual(used * 4);
      }
    }),
  );
});

it('a decoded list becomes the slots of its live units, with counts of any size', () => {
  const live = [3, 70, 71, 200];
  const table = new UnitTable();
  table.load(
    [0, 1, 3].map((page) => [
      page,
      pageOf(
        page,
        live.filter((unit) => unit >> 6 === page).map((unit) => unit % 64),
      ),
    ]),
  );
  const counts = fc.constantFrom(0, 1, 255, 256, 70_000);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(3, 5, 70, 71, 130, 200, 999_999), counts, counts)),
      (entries) => {
        const list = new PostingList(1);
        for (const entry of entries.sort(([a], [b]) => a - b)) list.push(...entry);
        // What a segment holds of it, and then a second segment: the same again.
        const encoded = new ByteWriter();
        encodePostings(encoded, list, 0);
        const part = { bytes: encoded.view(), start: 0, count: list.length, base: 0 };
        const twice = table.decode([part, part]);
        expect(twice.length).toBe(2 * table.decode([part]).length);
        const { units, body, title, length } = table.decode([part]);
        expect([...twice.units].slice(length)).toEqual([...units]);
        const kept = entries.filter(([unit]) => live.includes(unit));
        expect([...units].slice(0, length)).toEqual(kept.map(([unit]) => table.slot(unit)));
        expect([...body].slice(0, length)).toEqual(kept.map(([, count]) => count));
        expect([...title].slice(0, length)).toEqual(kept.map(([, , count]) => count));
      },
    ),
  );
});
