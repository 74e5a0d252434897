import { serveJobs } from '../ingest/worker/serve-jobs.js';
import { packerOf } from './drivers.js';

/** The program of the processes that prepare documents (ingest/worker/): here, since only the engine knows drivers. */
if (process.send !== undefined)
  serveJobs(packerOf, async (setup) => (await import('./ocr/reader.js')).readerOf(setup));
