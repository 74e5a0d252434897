import { useState } from 'preact/hooks';
import { asProblem, useAnswer } from '../../answer.js';
import { call, type Problem } from '../../api.js';
import { useT } from '../../i18n/i18n.js';
import { oneLine, plain } from '../../parts/plain.js';
import { ProblemBox } from '../../parts/problem-box.js';

interface Table {
  readonly table_id: string;
  readonly bytes: number;
  readonly strings: number;
}

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly table_id: string;
  readonly pointer?: string;
  readonly path?: string;
  readonly strings?: number;
}

interface Called {
  readonly results: readonly {
    readonly score: number;
    readonly chunk: { readonly id: string; readonly json_pointer: string; readonly chunk_text: string };
  }[];
}

/** Tables of JSON, the search tools over them, and a way to try each tool. */
export function SearchTools({ mayWrite }: { readonly mayWrite: boolean }) {
  const t = useT();
  const tables = useAnswer<{ tables: readonly Table[] }>('table-list', {}, { follows: true });
  const tools = useAnswer<{ tools: readonly Tool[] }>('tool-list', {}, { follows: true });
  return (
    <>
      <section>
        <h2>{t('tools.tables')}</h2>
        {tables.problem && <ProblemBox problem={tables.problem} again={tables.again} />}
        {tables.answer?.tables.length === 0 && <p class="hint">{t('tools.none')}</p>}
        <ul class="things">
          {tables.answer?.tables.map(({ table_id, bytes, strings }) => (
            <li key={table_id}>
              <b>{oneLine(table_id)}</b>{' '}
              <span class="hint">{t('tools.table.facts', { strings, bytes })}</span>
            </li>
          ))}
        </ul>
        {mayWrite && <NewTable onMade={tables.again} />}
      </section>
      <section>
        <h2>{t('tools.list')}</h2>
        {tools.problem && <ProblemBox problem={tools.problem} again={tools.again} />}
        {tools.answer?.tools.length === 0 && <p class="hint">{t('tools.none')}</p>}
        <ul class="things">
          {tools.answer?.tools.map((tool) => (
            <li key={tool.name}>
              <b>{oneLine(tool.name)}</b>{' '}
              <span class="hint">
                {oneLine(`${tool.table_id}${tool.pointer ?? ''} ${tool.path ?? ''}`)}{' '}
                {oneLine(tool.description)}
              </span>
              <TryTool name={tool.name} />
            </li>
          ))}
        </ul>
        {mayWrite && (tables.answer?.tables.length ?? 0) > 0 && (
          <NewTool tables={tables.answer!.tables.map(({ table_id }) => table_id)} onMade={tools.again} />
        )}
      </section>
    </>
  );
}

/** Runs what a form asks for, and says what went wrong. */
function useWork(done: () => void): {
  problem: Problem | null;
  busy: boolean;
  run: (work: () => Promise<unknown>) => void;
} {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const run = (work: () => Promise<unknown>): void => {
    setBusy(true);
    setProblem(null);
    work()
      .then(done, (error: unknown) => setProblem(asProblem(error)))
      .finally(() => setBusy(false));
  };
  return { problem, busy, run };
}

function NewTable({ onMade }: { readonly onMade: () => void }) {
  const t = useT();
  const [id, setId] = useState('');
  const [content, setContent] = useState('');
  const { problem, busy, run } = useWork(onMade);
  const make = (event: Event): void => {
    event.preventDefault();
    if (id.trim() !== '' && content.trim() !== '')
      run(() => call('table-put', { table_id: id.trim(), content }));
  };
  return (
    <form class="row-of" onSubmit={make}>
      <input
        type="text"
        aria-label={t('tools.name')}
        placeholder={t('tools.name')}
        value={id}
        onInput={(event) => setId(event.currentTarget.value)}
      />
      <textarea
        rows={2}
        aria-label="JSON"
        placeholder={'{"rules": [{"text": "…"}]}'}
        value={content}
        onInput={(event) => setContent(event.currentTarget.value)}
      />
      <button type="submit" disabled={busy}>
        {t('tools.create')}
      </button>
      {problem && <ProblemBox problem={problem} />}
    </form>
  );
}

function NewTool({ tables, onMade }: { readonly tables: readonly string[]; readonly onMade: () => void }) {
  const t = useT();
  const [name, setName] = useState('');
  const [table, setTable] = useState(tables[0]!);
  const [least, setLeast] = useState(200);
  const { problem, busy, run } = useWork(onMade);
  const make = (event: Event): void => {
    event.preventDefault();
    if (name.trim() === '') return;
    const input = {
      name: name.trim(),
      table_id: table,
      chunk_threshold_chars: least,
      mode: 'hybrid',
    };
    run(() => call('tool-create', input));
  };
  return (
    <form class="row-of" onSubmit={make}>
      <input
        type="text"
        aria-label={t('tools.name')}
        placeholder={t('tools.name')}
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <select
        aria-label={t('tools.tables')}
        value={table}
        onChange={(event) => setTable(event.currentTarget.value)}
      >
        {tables.map((one) => (
          <option key={one} value={one}>
            {oneLine(one)}
          </option>
        ))}
      </select>
      <label>
        {t('tools.threshold')}
        <input
          type="number"
          min={1}
          max={100_000}
          value={least}
          onInput={(event) => setLeast(Number(event.currentTarget.value) || 1)}
        />
      </label>
      <button type="submit" disabled={busy}>
        {t('tools.create')}
      </button>
      {problem && <ProblemBox problem={problem} />}
    </form>
  );
}

function TryTool({ name }: { readonly name: string }) {
  const t = useT();
  const [query, setQuery] = useState('');
  const [answer, setAnswer] = useState<Called | null>(null);
  const { problem, busy, run } = useWork(() => {});
  const ask = (event: Event): void => {
    event.preventDefault();
    if (query.trim() !== '')
      run(async () => setAnswer(await call<Called>('tool-call', { name, query, top_k: 5 })));
  };
  return (
    <>
      <form class="row-of" onSubmit={ask}>
        <input
          type="search"
          aria-label={`${name}: ${t('tools.question')}`}
          placeholder={t('tools.question')}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <button type="submit" disabled={busy}>
          {t('tools.try')}
        </button>
      </form>
      {problem && <ProblemBox problem={problem} />}
      {answer && (
        <ol class="ranked" aria-live="polite">
          {answer.results.length === 0 && <li>{t('search.none')}</li>}
          {answer.results.map(({ score, chunk }) => (
            <li key={chunk.id}>
              <p class="about">
                {score.toFixed(3)} <code>{oneLine(chunk.json_pointer)}</code>
              </p>
              <p class="content">{plain(chunk.chunk_text)}</p>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
