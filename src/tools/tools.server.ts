import { randomUUID } from 'node:crypto';
import { describeTools } from './tools.suite.js';

describeTools('postgres', () => {
  const place = new URL(process.env.STRATA_TEST_POSTGRES!);
  place.searchParams.set('library', randomUUID());
  place.searchParams.set('schema', 'strata_tools');
  return place.href;
});
