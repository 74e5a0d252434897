import { useState } from 'preact/hooks';
import { asProblem, useAnswer } from '../../answer.js';
import { call, type Problem } from '../../api.js';
import { useT } from '../../i18n/i18n.js';
import { CopyButton } from '../../parts/copy-button.js';
import { oneLine } from '../../parts/plain.js';
import { ProblemBox } from '../../parts/problem-box.js';

interface Endpoint {
  readonly name: string;
  readonly description: string;
  readonly path: string;
  readonly tools: readonly string[];
}

/** Addresses at which agents see a few search tools and nothing else. */
export function Endpoints({ mayWrite }: { readonly mayWrite: boolean }) {
  const t = useT();
  const { answer, problem, again } = useAnswer<{ endpoints: readonly Endpoint[] }>(
    'endpoint-list',
    {},
    { follows: true },
  );
  const { answer: known } = useAnswer<{ tools: readonly { readonly name: string }[] }>(
    'tool-list',
    {},
    { follows: true },
  );
  const [failed, setFailed] = useState<Problem | null>(null);
  const act = (name: string, input: object): void => {
    setFailed(null);
    call(name, input).then(again, (error: unknown) => setFailed(asProblem(error)));
  };
  const create = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const name = String(new FormData(form).get('name')).trim();
    if (name === '') return;
    act('endpoint-create', { name });
    form.reset();
  };
  return (
    <section class="endpoints">
      <h2>{t('tools.endpoints')}</h2>
      <p class="hint">{t('tools.endpoints.about')}</p>
      {problem && <ProblemBox problem={problem} again={again} />}
      {failed && <ProblemBox problem={failed} />}
      {answer?.endpoints.length === 0 && <p class="hint">{t('tools.none')}</p>}
      <ul class="things">
        {answer?.endpoints.map((endpoint) => (
          <EndpointItem
            key={endpoint.name}
            endpoint={endpoint}
            tools={known?.tools.map(({ name }) => name) ?? []}
            mayWrite={mayWrite}
            act={act}
          />
        ))}
      </ul>
      {mayWrite && (
        <form class="row-of" onSubmit={create}>
          <input
            type="text"
            name="name"
            maxLength={64}
            aria-label={`${t('tools.endpoints')}: ${t('tools.name')}`}
            placeholder={t('tools.name')}
          />
          <button type="submit">{t('tools.create')}</button>
        </form>
      )}
    </section>
  );
}

function EndpointItem({
  endpoint: { name, description, path, tools: bound },
  tools,
  mayWrite,
  act,
}: {
  readonly endpoint: Endpoint;
  readonly tools: readonly string[];
  readonly mayWrite: boolean;
  readonly act: (name: string, input: object) => void;
}) {
  const t = useT();
  const free = tools.filter((tool) => !bound.includes(tool));
  const bind = (event: SubmitEvent): void => {
    event.preventDefault();
    const chosen = new FormData(event.currentTarget as HTMLFormElement).get('tool');
    if (chosen !== null) act('endpoint-bind', { name, tools: [String(chosen)] });
  };
  return (
    <li>
      <b>{oneLine(path)}</b> <CopyButton text={location.origin + path} label={t('tools.config.copy')} />{' '}
      <span class="hint">{oneLine(description)}</span>
      <p>
        {bound.length === 0 && <span class="hint">{t('tools.endpoint.none')}</span>}
        {bound.map((tool) => (
          <span key={tool} class="bound">
            <code>{oneLine(tool)}</code>
            {mayWrite && (
              <button
                type="button"
                class="quiet"
                aria-label={t('tools.endpoint.unbind', { name: oneLine(tool) })}
                onClick={() => act('endpoint-unbind', { name, tools: [tool] })}
              >
                ×
              </button>
            )}
          </span>
        ))}
      </p>
      {mayWrite && free.length > 0 && (
        <form class="row-of" onSubmit={bind}>
          <select name="tool" aria-label={`${oneLine(path)}: ${t('tools.endpoint.tool')}`}>
            {free.map((tool) => (
              <option key={tool} value={tool}>
                {oneLine(tool)}
              </option>
            ))}
          </select>
          <button type="submit">{t('tools.endpoint.bind')}</button>
        </form>
      )}
    </li>
  );
}
