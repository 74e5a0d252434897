import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { StrataError } from '../../model/errors.js';

/** A test set: documents, and questions whose right answers are known. */
export interface EvalSet {
  readonly name: string;
  readonly documents: readonly EvalDocument[];
  readonly queries: readonly EvalQuery[];
}

export interface EvalDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export type EvalQuery = JudgedQuery | SpanQuery;

/** BEIR form: documents with grades. */
export interface JudgedQuery {
  readonly id: string;
  readonly text: string;
  readonly grades: ReadonlyMap<string, number>;
}

/** Answer-span form: a passage of this document that holds one of these answers. */
export interface SpanQuery {
  readonly id: string;
  readonly text: string;
  readonly article_id: string;
  readonly answers: readonly string[];
}

export const isSpanQuery = (query: EvalQuery): query is SpanQuery => 'answers' in query;

/** Where a set's parts are, when they are not all in one folder under their usual names. */
export interface EvalFiles {
  /** Questions from here instead of the folder's `queries.jsonl`. */
  readonly queries?: string | undefined;
  /** Documents from here instead of the folder's `docs.jsonl` or `corpus.jsonl`. */
  readonly docs?: string | undefined;
  /** Only documents whose id starts so; questions may name them without it. */
  readonly doc_prefix?: string | undefined;
  /** Default true. False leaves the titles out: one in the question's language would give the answer away. */
  readonly titles?: boolean | undefined;
}

/** BEIR puts the judgements of a set's parts into a folder; the one that is measured by is `test`. */
const JUDGEMENTS = ['qrels/test.tsv', 'qrels.tsv'];

/**
 * A folder in BEIR form (`corpus.jsonl`, `queries.jsonl`, and `qrels/test.tsv` or `qrels.tsv`) or in answer-span form
 * (`docs.jsonl`, `queries.jsonl`).
 */
export async function loadEvalSet(folder: string, files: EvalFiles = {}): Promise<EvalSet> {
  const usual = files.queries === undefined && files.docs === undefined;
  const judgements = usual ? JUDGEMENTS.map((name) => join(folder, name)).find(existsSync) : undefined;
  const docs = files.docs ?? join(folder, judgements ? 'corpus.jsonl' : 'docs.jsonl');
  const queries = files.queries ?? join(folder, 'queries.jsonl');
  const prefix = files.doc_prefix ?? '';
  const documents = (await readJsonLines(docs)).map((row) => documentOf(row, files, docs));
  const rows = await readJsonLines(queries);
  return {
    name: files.queries ? basename(files.queries).replace(/\.jsonl$/, '') : basename(resolve(folder)),
    documents: documents.filter(({ id }) => id.startsWith(prefix)),
    queries: judgements
      ? judgedQueries(rows, await readJudgements(judgements), queries)
      : spanQueries(rows, prefix, queries),
  };
}

type Row = Readonly<Record<string, unknown>>;

function documentOf(row: Row, files: EvalFiles, file: string): EvalDocument {
  return {
    id: field(row, '_id', file),
    title: files.titles === false || row.title === undefined ? '' : field(row, 'title', file),
    text: field(row, 'text', file),
  };
}

function judgedQueries(
  rows: readonly Row[],
  judgements: ReadonlyMap<string, ReadonlyMap<string, number>>,
  file: string,
): JudgedQuery[] {
  return rows.flatMap((row) => {
    const id = field(row, '_id', file);
    const grades = judgements.get(id);
    // Queries nobody judged say nothing about a ranking.
    return grades && [...grades.values()].some((grade) => grade > 0)
      ? [{ id, text: field(row, 'text', file), grades }]
      : [];
  });
}

function spanQueries(rows: readonly Row[], prefix: string, file: string): SpanQuery[] {
  return rows.map((row) => {
    const answers = row.answer_texts;
    if (!Array.isArray(answers) || !answers.every((answer) => typeof answer === 'string')) {
      throw new StrataError('INVALID_RECORD', `${file}: a query has no list of strings "answer_texts".`);
    }
    const article = field(row, 'article_id', file);
    return {
      id: field(row, '_id', file),
      text: field(row, 'text', file),
      article_id: article.startsWith(prefix) ? article : prefix + article,
      answers: answers.filter((answer) => answer !== ''),
    };
  });
}

function field(row: Row, name: string, file: string): string {
  const value = row[name];
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw new StrataError('INVALID_RECORD', `${file}: a line has no text field "${name}".`);
}

async function readJsonLines(file: string): Promise<Row[]> {
  const lines = (await readText(file)).split('\n');
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      const row: unknown = JSON.parse(line);
      if (typeof row === 'object' && row !== null) return [row as Row];
    } catch {
      // The error below says so, with the line's number.
    }
    throw new StrataError('INVALID_RECORD', `${file}: line ${index + 1} is no JSON object.`);
  });
}

/** `query-id corpus-id score`, with tabs; a heading line may come first. */
async function readJudgements(file: string): Promise<Map<string, Map<string, number>>> {
  const judgements = new Map<string, Map<string, number>>();
  for (const line of (await readText(file)).split('\n')) {
    const [query, document, grade] = line.trim().split('\t');
    if (!query || !document || grade === undefined || Number.isNaN(Number(grade))) continue;
    const own = judgements.get(query) ?? new Map<string, number>();
    judgements.set(query, own.set(document, Number(grade)));
  }
  return judgements;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new StrataError(
      missing ? 'FILE_MISSING' : 'FILE_UNREADABLE',
      `${file}: ${missing ? 'there is no such file' : 'it cannot be read'}. A set has corpus.jsonl, queries.jsonl and qrels/test.tsv or qrels.tsv (BEIR), or docs.jsonl and queries.jsonl (answer spans).`,
      { cause: error },
    );
  }
}
