/**
 * Mutated libraries, each used as a person would use a library that came with a repository: opened, searched, added to,
 * doctored. Nothing outside its folder may be created, changed, deleted or read, and no address contacted.
 *
 *     npm run build && node test/torture/plant.js 5000 [seed] [first]
 *
 * What is read and contacted is caught in the process (files, sockets, name look-ups, child processes); what is changed
 * is seen in a tree of decoys around the library. Each run has a seed of its own, made of the seed and its number: 5,000
 * runs may be done in pieces (`plant.js 1000 7 2000` is the third fifth of seed 7), and one can be repeated alone. Prints one line of JSON; the exit code is 1 when anything got out. A run
 * that takes over two minutes is named and ends the program, even where it never leaves its loop.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

const RUNS = Number(process.argv[2] ?? 300);
const SEED = Number(process.argv[3] ?? 1);
const FIRST = Number(process.argv[4] ?? 0);
const REPOSITORY = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
const base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'strata-plant-')));
Object.assign(process.env, {
  STRATA_CONFIG: join(base, 'config'),
  STRATA_CACHE: join(base, 'cache'),
  OPENAI_API_KEY: 'sk-secret-of-the-user',
  HOME: join(base, 'home'),
});
delete process.env.STRATA_EMBEDDER;
delete process.env.OPENAI_BASE_URL;

/** A small generator of numbers, so that a failing run can be repeated. */
let state = SEED;
function random(below) {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return Math.floor((state / 0x7fffffff) * below) % below;
}
const pick = (list) => list[random(list.length)];

/** What Node and the lock (is a process alive?) look at on every machine. */
const SYSTEM = /^\/(proc|sys|usr|lib|lib64|dev)\//;

const escapes = [];
/** Only while the library is used: the harness looks at everything itself. */
let watching = false;
let clone = '';
const mayTouch = (path) => {
  const full = resolve(String(path));
  const inside = (folder) => full === folder || full.startsWith(folder + sep);
  // The clone is the stranger's own; Strata's files, its configuration and the system's are not the user's documents.
  if (inside(clone) || inside(process.env.STRATA_CONFIG) || inside(REPOSITORY)) return true;
  return !inside(base) && SYSTEM.test(full);
};

/** Whatever opens a file by its path, in every form Node has of it. */
function watchReads() {
  const watch = (owner, name) => {
    const original = owner[name];
    owner[name] = function watched(path, ...rest) {
      if (
        watching &&
        (typeof path === 'string' || path instanceof URL || path instanceof Uint8Array) &&
        !mayTouch(path)
      ) {
        escapes.push(`${name} ${path}`);
      }
      return original.call(this, path, ...rest);
    };
  };
  for (const name of [
    'open',
    'openSync',
    'readFile',
    'readFileSync',
    'createReadStream',
    'readdir',
    'readdirSync',
  ]) {
    watch(fs, name);
  }
  for (const name of ['open', 'readFile', 'readdir']) watch(fs.promises, name);
  const connect = net.Socket.prototype.connect;
  net.Socket.prototype.connect = function connected(...args) {
    if (watching) escapes.push(`connect ${JSON.stringify(args[0])}`);
    return connect.apply(this, args);
  };
  syncBuiltinESMExports();
}
watchReads();
const { openLibrary } = await import(join(REPOSITORY, 'dist', 'index.js'));
const { DatabaseSync } = await import('@photostructure/sqlite');

const snapshot = (folder, skip) =>
  Object.fromEntries(
    fs
      .readdirSync(folder, { recursive: true })
      .filter((name) => !skip.some((one) => name === one || name.startsWith(one + sep)))
      .map((name) => {
        const found = fs.lstatSync(join(folder, name));
        const text = found.isFile() ? fs.readFileSync(join(folder, name), 'utf8') : '';
        return [name, `${found.mode} ${found.isFile() ? found.mtimeMs : ''} ${text}`];
      }),
  );

/** Beside the decoys: what this harness and the user's own configuration keep there. */
const OURS = ['clone', 'config', 'cache', 'seed-json', 'seed-sqlite'];

const write = (file, text) => {
  fs.mkdirSync(dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
};

/** What a stranger would write in the place of a value. */
const UUID = '11111111-1111-8111-8111-111111111111';
const hostile = () =>
  pick([
    '../../../private/mcp',
    '../../private',
    `1/../../../../private`,
    `x/../../../../private/mcp`,
    `${UUID}.1/../../../private`,
    join(base, 'private'),
    join(base, 'private', 'mcp.json'),
    '/etc/passwd',
    'file:../private/letter.md',
    `file:${join(base, 'private', 'letter.md')}`,
    'openai:m?url=http://192.0.2.1:9/v1',
    'ollama:m?url=http://localhost.evil.example:9',
    `local:${join(base, 'private')}`,
    'local:evil/model',
    'http://192.0.2.1:9/',
    '\u0000',
    '',
    '\u001b]52;c;AAAA\u0007',
    -1,
    0,
    1.5,
    2 ** 53,
    1e308,
    null,
    true,
    [],
    {},
    [['..']],
    { '../../private': 1 },
    '__proto__',
    'x'.repeat(10_000),
  ]);

/** One value somewhere in it, or one key, becomes something else. */
function mutate(value) {
  const places = [];
  const visit = (holder) => {
    for (const key of Object.keys(holder)) {
      places.push([holder, key]);
      if (holder[key] !== null && typeof holder[key] === 'object') visit(holder[key]);
    }
  };
  visit(value);
  if (places.length === 0) return value;
  const [holder, key] = pick(places);
  if (random(5) === 0 && !Array.isArray(holder)) {
    holder[String(hostile())] = holder[key];
    delete holder[key];
  } else holder[key] = hostile();
  return value;
}

const seal = (value) => {
  const { checksum: _, ...rest } = value;
  const body = JSON.stringify(rest, null, 1).slice(1);
  return `{"checksum":"${createHash('sha256').update(body).digest('hex')}",${body}\n`;
};

const filesIn = (folder) =>
  fs
    .readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((name) => fs.lstatSync(name).isFile());

function plantLink(folder) {
  const target = pick([
    join(base, 'private'),
    join(base, 'private', 'mcp.json'),
    join(base, 'private', 'none'),
  ]);
  const names = ['state', 'records', 'vectors', 'lock', `${UUID}.1`, 'state/9.json', 'x.json'];
  const place = join(folder, pick(names));
  // Through a link planted before, the harness itself would write outside.
  if (fs.lstatSync(dirname(place), { throwIfNoEntry: false })?.isSymbolicLink()) return;
  fs.rmSync(place, { recursive: true, force: true });
  fs.mkdirSync(dirname(place), { recursive: true });
  fs.symlinkSync(target, place);
}

function mutateJson(library) {
  for (let n = 1 + random(3); n > 0; n--) {
    const kind = random(10);
    if (kind === 0) plantLink(join(library, 'json'));
    else if (kind === 1) {
      const file = pick(filesIn(library));
      const bytes = fs.readFileSync(file);
      if (bytes.length > 0) bytes[random(bytes.length)] ^= 1 << random(8);
      fs.writeFileSync(file, bytes);
    } else {
      const file = pick(filesIn(library).filter((name) => name.endsWith('.json')));
      try {
        const value = mutate(JSON.parse(fs.readFileSync(file, 'utf8')));
        fs.writeFileSync(file, file.endsWith('store.json') ? JSON.stringify(value) : seal(value));
      } catch {
        // No longer JSON after an earlier change: that is a mutation as well.
      }
    }
  }
}

const COLUMNS = {
  knowledge_items: ['id', 'source', 'source_path', 'title', 'metadata', 'chunk_count', 'unit'],
  knowledge_chunks: [
    'id',
    'item_id',
    'content',
    'heading',
    'metadata',
    'details',
    'chunk_index',
    'start_position',
  ],
  records: ['kind', 'id', 'value'],
  item_texts: ['text', 'structure'],
  segments: ['directory', 'first_unit', 'units', 'bytes'],
  segment_blocks: ['data'],
  unit_pages: ['data', 'generation'],
};

const STATEMENTS = [
  'CREATE VIEW v AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n',
  'ALTER TABLE records RENAME TO r; CREATE VIEW records AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS kind, i AS id, i AS value, i AS crc FROM n',
  'CREATE TRIGGER t AFTER INSERT ON knowledge_items BEGIN DELETE FROM records; END',
  'DROP TABLE state',
  'PRAGMA user_version = 1',
  'PRAGMA user_version = 0',
  'PRAGMA application_id = 0',
  'DELETE FROM segments',
  'CREATE TABLE more (a)',
];

function mutateSqlite(library) {
  const path = join(library, 'library.db');
  if (random(8) === 0) {
    const suffix = pick(['', '-wal', '-shm', '-journal']);
    fs.rmSync(path + suffix, { force: true });
    fs.symlinkSync(join(base, 'private', pick(['mcp.json', 'none.db'])), path + suffix);
    return;
  }
  if (random(8) === 0) {
    const bytes = fs.readFileSync(path);
    for (let n = 1 + random(40); n > 0; n--) bytes[random(bytes.length)] ^= 1 << random(8);
    fs.writeFileSync(path, bytes);
    return;
  }
  if (random(12) === 0) {
    const name = Buffer.from(join(base, 'private', 'mcp.json'));
    const tail = Buffer.alloc(16);
    tail.writeUInt32BE(name.length, 0);
    tail.writeUInt32BE(
      name.reduce((sum, byte) => sum + byte, 0),
      4,
    );
    Buffer.from('d9d505f920a163d7', 'hex').copy(tail, 8);
    const head = Buffer.alloc(512);
    Buffer.from('d9d505f920a163d7', 'hex').copy(head);
    fs.writeFileSync(`${path}-journal`, Buffer.concat([head, name, tail]));
    return;
  }
  const database = new DatabaseSync(path);
  database.exec('PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON');
  for (let n = 1 + random(3); n > 0; n--) {
    try {
      if (random(4) === 0) database.exec(pick(STATEMENTS));
      else {
        const table = pick(Object.keys(COLUMNS));
        const value = hostile();
        const bound =
          value === null || typeof value === 'number'
            ? value
            : typeof value === 'string'
              ? value
              : JSON.stringify(value);
        database.prepare(`UPDATE ${table} SET ${pick(COLUMNS[table])} = ?`).run(bound);
        resealRows(database, table);
      }
    } catch {
      // A column this version does not have, or a constraint: the next one.
    }
  }
  if (random(3) === 0) plantRecord(database);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

/** Settings and embedders as a stranger would have them, with the right checksum. */
function plantRecord(database) {
  const [kind, id] = pick([
    ['settings', 'library'],
    ['embedder', 'openai:m:24'],
  ]);
  const value = JSON.stringify(kind === 'settings' ? { embedder: hostile() } : { spec: hostile() });
  try {
    database
      .prepare('INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)')
      .run(kind, id, value, checksum([kind, id, value]));
  } catch {
    // No such table any more.
  }
}

function resealRows(database, table) {
  if (table !== 'records' && table !== 'knowledge_items') return;
  const rows = database.prepare(`SELECT * FROM ${table}`).all();
  for (const row of rows) {
    const fields = Object.entries(row).filter(([name]) => name !== 'crc' && name !== 'n');
    const crc = checksum(fields.map(([, value]) => value));
    if (table === 'records')
      database.prepare('UPDATE records SET crc = ? WHERE kind = ? AND id = ?').run(crc, row.kind, row.id);
    else database.prepare('UPDATE knowledge_items SET crc = ? WHERE n = ?').run(crc, row.n);
  }
}

const { crc32 } = await import('node:zlib');
const checksum = (fields) => crc32(fields.map((field) => `${field}\u0000`).join(''));

/** As `search`, `add`, `doctor` and `doctor --fix` would. Each may fail with an error of Strata's own. */
async function use(library) {
  const seen = { failed: 0, strange: [] };
  const attempt = async (run) => {
    watchdog.postMessage({ ...current, step: String(run) });
    const started = Date.now();
    try {
      return await run();
    } catch (error) {
      seen.failed++;
      if (error?.name !== 'StrataError')
        seen.strange.push(
          String(error?.stack ?? error)
            .split('\n')
            .slice(0, 3)
            .join(' | '),
        );
    } finally {
      const seconds = Math.round((Date.now() - started) / 1000);
      if (seconds >= 20) console.error(`slow: run ${current.run}, ${current.store}, ${seconds} s: ${run}`);
    }
  };
  for (let round = 0; round < 2; round++) {
    const opened = await attempt(() => openLibrary({ library, create: true, cwd: clone }));
    if (opened === undefined) continue;
    await attempt(() => opened.search('proxy nginx'));
    await attempt(() => opened.search('proxy', { mode: 'hybrid' }));
    await attempt(() => opened.add([join(clone, 'docs')], { workers: 0, embed: false }));
    await attempt(() => opened.list({}));
    await attempt(async () => {
      const { documents } = await opened.list({ limit: 1 });
      if (documents[0]) await opened.show(documents[0].id);
    });
    await attempt(() => opened.status());
    await attempt(() => opened.check({ fix: round === 1 }));
    await attempt(() => opened.close());
  }
  return seen;
}

async function seedLibrary(store) {
  clone = join(base, `seed-${store}`);
  write(
    join(clone, 'docs', 'a.md'),
    '# Proxy\n\n## nginx\n\nA proxy before others.\n\n## caddy\n\nAnother one.\n',
  );
  write(join(clone, 'docs', 'b.md'), '# Keys\n\n## tls\n\nCertificates and keys.\n');
  const library = await openLibrary({ library: join(clone, '.strata'), store, embedder: 'none', cwd: clone });
  await library.add([join(clone, 'docs')], { workers: 0 });
  await library.close();
  return clone;
}

for (const name of ['mcp.json', '1.json', '1.vec', 'letter.md', 'document.json', `${UUID}.1/x.json`]) {
  write(join(base, 'private', name), '{"mine":true}');
}
const seeds = { json: await seedLibrary('json'), sqlite: await seedLibrary('sqlite') };
/**
 * In a thread, since a run that hangs in SQLite or in a regular expression lets no timer of its own thread fire. Planted
 * locks of another machine cost a minute per process and lock file, as they do for a person; more than two is a hang.
 */
const RUN_LIMIT_MS = 150_000;
const watchdog = new Worker(
  `const { parentPort } = require('node:worker_threads');
   let timer;
   parentPort.on('message', ({ run, store, step }) => {
     clearTimeout(timer);
     timer = setTimeout(() => {
       require('node:fs').writeSync(2, 'hangs: run ' + run + ', seed ${SEED}, ' + store + ', ' + step + '; kept in ${base}\\n');
       process.kill(process.pid, 'SIGKILL');
     }, ${RUN_LIMIT_MS});
   });`,
  { eval: true },
);
watchdog.unref();
let current = { run: 0, store: '' };
const totals = { runs: 0, failed: 0, strange: new Map() };
const began = Date.now();
for (let run = FIRST; run < FIRST + RUNS && escapes.length === 0; run++) {
  state = (Math.imul(SEED, 0x9e37_79b1) + Math.imul(run, 0x85eb_ca6b)) & 0x7fffffff;
  const store = run % 2 === 0 ? 'json' : 'sqlite';
  clone = join(base, 'clone');
  fs.cpSync(seeds[store], clone, { recursive: true });
  const library = join(clone, '.strata');
  (store === 'json' ? mutateJson : mutateSqlite)(library);
  current = { run, store };
  const before = snapshot(base, OURS);
  watching = true;
  const { failed, strange } = await use(library);
  watching = false;
  const after = snapshot(base, OURS);
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (before[name] !== after[name]) escapes.push(`changed ${name} (run ${run}, ${store})`);
  }
  totals.runs++;
  totals.failed += failed;
  for (const one of strange) totals.strange.set(one, (totals.strange.get(one) ?? 0) + 1);
  if (escapes.length > 0) console.error(`run ${run}, seed ${SEED}: ${escapes.slice(0, 5).join('; ')}`);
  fs.rmSync(clone, { recursive: true, force: true });
}
console.log(
  JSON.stringify({
    runs: totals.runs,
    seconds: Math.round((Date.now() - began) / 1000),
    refused: totals.failed,
    strange: Object.fromEntries(totals.strange),
    escapes,
  }),
);
fs.rmSync(base, { recursive: true, force: true });
process.exitCode = escapes.length > 0 ? 1 : 0;
