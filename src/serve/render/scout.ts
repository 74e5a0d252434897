import type { ScoutAnswer } from '../../engine/library.js';
import type { Brief } from '../../model/brief.js';
import { cleanLabel } from '../../model/indexed.js';
import { type Colours, colours, oneLine } from '../cli/terminal.js';
import type { View } from '../operation.js';
import { doubt } from './search.js';

/** S1.4: `[parent_doc] section_title` for a passage, `document_title` for a whole document, then id and summary. */
export function renderScout(
  answer: ScoutAnswer,
  view: View,
  input: Readonly<Record<string, unknown>>,
): string {
  const paint = colours(view);
  const briefs = answer.briefs.map((brief) => renderBrief(brief, paint));
  const parts = [...doubt({ ...answer, query: String(input.query) }, briefs.length), ...briefs];
  for (const notice of answer.notices) parts.push(paint.dim(`· ${notice}`));
  return parts.join('\n\n');
}

function renderBrief(brief: Brief, paint: Colours): string {
  return [
    paint.bold(headOf(brief)),
    `${paint.dim('ID:')} ${brief.id}`,
    `${paint.dim('Summary:')} ${oneLine(brief.summary)}`,
  ].join('\n');
}

/** A document that is one passage is no slice of anything: it goes by its own title. */
function headOf(brief: Brief): string {
  const title = cleanLabel(brief.title);
  if (brief.is_parent || brief.title === brief.parent_doc_title) return title;
  return `[${cleanLabel(brief.parent_doc_title)}] ${title}`;
}
