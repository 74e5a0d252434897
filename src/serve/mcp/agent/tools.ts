import { addKnowledge } from './add-knowledge.js';
import { inspectTool } from './inspect.js';
import { listDocuments } from './list-documents.js';
import { removeKnowledge } from './remove-knowledge.js';
import { scoutTool } from './scout.js';
import { searchKnowledge } from './search-knowledge.js';
import { statusTool } from './status.js';
import type { AgentTool } from './tool.js';
import { verifyTool } from './verify.js';

/** What agents are offered, in the order they should think of it. */
export const agentTools: readonly AgentTool[] = [
  searchKnowledge,
  scoutTool,
  inspectTool,
  verifyTool,
  listDocuments,
  statusTool,
  addKnowledge,
  removeKnowledge,
];
