import { useAnswer } from '../../answer.js';
import type { Who } from '../../api-records.js';
import { useT } from '../../i18n/i18n.js';
import { CopyButton } from '../../parts/copy-button.js';
import { oneLine } from '../../parts/plain.js';
import { Endpoints } from './endpoints.js';
import { Keys } from './keys.js';
import { SearchTools } from './search-tools.js';

/** What agents and programs may use: the configuration, tables, search tools, endpoints, keys. */
export function Tools() {
  const t = useT();
  const { answer: who } = useAnswer<Who>('who', {});
  const mayWrite = who !== null && who.access !== 'read';
  return (
    <div class="page tools">
      <h1>{t('tools.title')}</h1>
      <p>{t('tools.intro')}</p>
      <SearchTools mayWrite={mayWrite} />
      <Endpoints mayWrite={mayWrite} />
      {who?.access === 'owner' && <Keys />}
      <section>
        <h2>{t('tools.config')}</h2>
        <Snippet text={configuration()} />
        <p class="hint">{t('tools.config.note')}</p>
      </section>
      <section>
        <p>
          <a href="/api/v1/openapi.json" target="_blank" rel="noopener">
            {t('tools.api')}
          </a>
        </p>
      </section>
    </div>
  );
}

export function Snippet({ text }: { readonly text: string }) {
  const t = useT();
  return (
    <div>
      <pre class="snippet">{oneLine(text) === '' ? '' : text}</pre>
      <CopyButton text={text} label={t('tools.config.copy')} />
    </div>
  );
}

/** As most clients read it; `strata mcp install` writes it for eight of them. */
const configuration = (): string =>
  JSON.stringify({ mcpServers: { strata: { type: 'http', url: `${location.origin}/mcp` } } }, null, 2);
