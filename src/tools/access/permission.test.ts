import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isStrataError } from '../../model/errors.js';
import { type Action, may, missing, requirePermission } from './permission.js';
import { type AccessLevel, includes, limitedTo, type Principal, RESOURCE_KINDS } from './principal.js';

const level = fc.constantFrom<AccessLevel>('none', 'read', 'write', 'owner');
const action = fc.constantFrom<Action>('see', 'use', 'change');
const resource = fc.record({ kind: fc.constantFrom(...RESOURCE_KINDS), id: fc.constantFrom('a', 'b', '') });
const grants = fc.array(
  fc.tuple(resource, level).map(([one, access]) => ({ ...one, access })),
  { maxLength: 4 },
);
const principal: fc.Arbitrary<Principal> = fc
  .tuple(level, grants)
  .map(([access, held]) => ({ kind: 'user', name: 'ann', access, key: 'k', grants: held }));

const refusal = (task: () => void): string | null => {
  try {
    task();
    return null;
  } catch (error) {
    return isStrataError(error) ? `${error.code} ${error.message}` : 'a defect';
  }
};

describe('S3.4 permission', () => {
  it('is the role in the library or a grant for exactly that resource, and nothing else', () => {
    fc.assert(
      fc.property(principal, action, resource, (caller, wish, wanted) => {
        const granted = caller.grants!.filter(({ kind, id }) => kind === wanted.kind && id === wanted.id);
        const levels = [caller.access, ...granted.map(({ access }) => access)];
        const needed = wish === 'change' ? 'write' : 'read';
        expect(may(caller, wish, wanted)).toBe(levels.some((held) => includes(held, needed)));
      }),
    );
  });

  it('a read-only server lets nobody change anything, by role or by grant', () => {
    fc.assert(
      fc.property(principal, resource, (caller, wanted) => {
        const reader = limitedTo(caller, 'read');
        expect(may(reader, 'change', wanted)).toBe(false);
        expect(may(reader, 'use', wanted)).toBe(may(caller, 'use', wanted));
      }),
    );
  });

  it('who may not see a resource gets the answer for one that does not exist', () => {
    fc.assert(
      fc.property(principal, action, resource, (caller, wish, wanted) => {
        const refused = refusal(() => requirePermission(caller, wish, wanted));
        if (may(caller, wish, wanted)) expect(refused).toBeNull();
        else if (may(caller, 'see', wanted)) expect(refused).toMatch(/^FORBIDDEN/);
        else expect(refused).toBe(`NOT_FOUND ${missing(wanted).message}`);
      }),
    );
  });

  it('making something new needs a role in the library: a grant names what is there', () => {
    fc.assert(
      fc.property(principal, fc.constantFrom(...RESOURCE_KINDS), (caller, kind) => {
        expect(may(caller, 'change', { kind, id: null })).toBe(includes(caller.access, 'write'));
      }),
    );
  });
});
