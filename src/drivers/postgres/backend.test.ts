import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { describeBackend } from '../../store/backend.suite.js';
import { describeProperty } from '../../store/property.suite.js';
import { embeddedServer, type TestServer, temporaryLibrary, testServer } from './server.suite.js';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
}, 60_000);
afterAll(() => server.stop());

const create = async () => temporaryLibrary(server.url);

describeBackend('postgres', create);
describeProperty('postgres', create, { runs: 4, steps: 30 });

it('B8 a server that has no pgvector: the message says what to install, and nothing is made there', async () => {
  const bare = await embeddedServer(false);
  onTestFinished(() => bare.stop());
  await expect(temporaryLibrary(bare.url).open()).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    message: expect.stringMatching(/the server has no pgvector; install it there \(Debian: .*\)/),
  });
  await expect(temporaryLibrary(bare.url).open()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
});
