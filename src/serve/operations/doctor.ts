import type { DoctorReport } from '../../engine/upkeep/doctor.js';
import { colours, oneLine } from '../cli/terminal.js';
import { flag } from '../fields.js';
import { say } from '../language/language.js';
import { translate } from '../language/translate.js';
import { operation, type View } from '../operation.js';

export const doctor = operation({
  name: 'doctor',
  summary: 'Check the library, and repair what can be repaired',
  description:
    'Checks every invariant of the library (records, hashes, words, vectors) and says what is wrong; with `fix` it repairs what can be repaired from what is whole. Notes tell of what is not wrong but worth knowing: files that have changed, passages without vectors.',
  access: 'owner',
  library: 'existing',
  input: { fix: flag('Repair what can be repaired') },
  output: ({ z }) =>
    z.object({
      findings: z.array(
        z.object({
          area: z.string(),
          message: z.string(),
          doc_id: z.string().optional(),
          fixed: z.boolean(),
        }),
      ),
      notes: z.array(z.string()).describe('Worth knowing, but nothing is wrong'),
    }),
  examples: [
    { command: 'strata doctor', explanation: 'is all well?' },
    { command: 'strata doctor --fix', explanation: 'and repair it' },
  ],
  handler: (library, { fix }) => library.check({ fix }),
  render: renderDoctor,
  problems: ({ findings }) => findings.filter((finding) => !finding.fixed).map((finding) => finding.message),
});

function renderDoctor({ findings, notes }: DoctorReport, view: View): string {
  const paint = colours(view);
  const repaired = findings.filter((finding) => finding.fixed);
  const open = findings.length - repaired.length;
  const lines = repaired.map(
    ({ area, message }) => `${paint.green(say('repaired'))} ${area}: ${oneLine(translate(message))}`,
  );
  if (open > 0) lines.push(say('{1} left. `strata doctor --fix` repairs what can be repaired.', open));
  if (findings.length === 0 && !view.quiet) lines.push(say('All is well.'));
  if (!view.quiet)
    lines.push(...notes.map((note) => `${paint.dim(say('note'))} ${oneLine(translate(note))}`));
  return lines.join('\n');
}
