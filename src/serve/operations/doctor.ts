import { flag } from '../fields.js';
import { operation } from '../operation.js';

export const doctor = operation({
  name: 'doctor',
  summary: 'Check the library, and repair what can be repaired',
  description:
    'Checks every invariant of the library (records, hashes, words, vectors) and says what is wrong; with `fix` it repairs what can be repaired from what is whole. Notes tell of what is not wrong but worth knowing: files that have changed, passages without vectors.',
  access: 'owner',
  library: 'existing',
  input: { fix: flag('Repair what can be repaired') },
  output: 'doctor',
  examples: [
    { command: 'strata doctor', explanation: 'is all well?' },
    { command: 'strata doctor --fix', explanation: 'and repair it' },
  ],
  handler: (library, { fix }) => library.check({ fix }),
  render: async () => (await import('../render/doctor.js')).renderDoctor,
  problems: ({ findings }) => findings.filter((finding) => !finding.fixed).map((finding) => finding.message),
});
