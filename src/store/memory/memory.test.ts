import { describeBackend } from '../backend.suite.js';
import { describeProperty } from '../property.suite.js';
import { memoryBackend } from './memory.js';

const create = async () => {
  const backend = memoryBackend();
  return { open: async () => backend, dispose: async () => {} };
};

describeBackend('memory', create, { shared: false });
// The model against itself: the suite's own sequences are sound.
describeProperty('memory', create, { runs: 30, steps: 20 });
