import { describeTools } from './tools.suite.js';

describeTools('lancedb');
