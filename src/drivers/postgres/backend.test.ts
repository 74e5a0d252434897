import { afterAll, beforeAll } from 'vitest';
import { describeBackend } from '../../store/backend.suite.js';
import { describeProperty } from '../../store/property.suite.js';
import { type TestServer, temporaryLibrary, testServer } from './server.suite.js';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
}, 60_000);
afterAll(() => server.stop());

const create = async () => temporaryLibrary(server.url);

describeBackend('postgres', create);
describeProperty('postgres', create, { runs: 4, steps: 30 });
