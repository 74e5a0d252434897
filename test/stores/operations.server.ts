import { randomUUID } from 'node:crypto';
import { describeOperations } from './operations.suite.js';

const url = process.env.STRATA_TEST_POSTGRES!;

describeOperations('postgres', () => {
  const place = new URL(url);
  place.searchParams.set('library', randomUUID());
  place.searchParams.set('schema', 'strata_operations');
  // As people have it: the address in the environment, the store by its name.
  return { spec: 'postgres', env: { STRATA_POSTGRES_URL: place.href } };
});
