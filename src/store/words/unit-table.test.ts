import fc from 'fast-check';
import { expect, it } from 'vitest';
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
