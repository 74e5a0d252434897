import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { AccessLevel } from '../../tools/access/principal.js';
import type { Operation } from '../operation.js';
import { operations } from '../operations.js';
import { inputSchema, outputSchema } from '../schemas.js';
import type { AgentTool } from './agent-tool.js';

/** A tool with what the protocol wants to know of it. */
export interface OfferedTool {
  readonly tool: AgentTool;
  readonly operation: Operation;
  readonly access: AccessLevel;
  readonly annotations: ToolAnnotations;
  readonly inputSchema: z.ZodObject;
  readonly outputSchema: z.ZodObject;
}

/** What agents are offered, in the order in which they should think of it: the table's, reading before writing. */
export function offeredTools(): readonly OfferedTool[] {
  const tools = operations.flatMap((operation) =>
    operation.tool ? [offered(operation, operation.tool)] : [],
  );
  return [...tools.filter(isReading), ...tools.filter((tool) => !isReading(tool))];
}

const isReading = ({ access }: OfferedTool): boolean => access === 'read';

function offered(operation: Operation, tool: AgentTool): OfferedTool {
  const { access } = operation;
  const { openWorld = false, destructive = false } = tool;
  const reads = access === 'read';
  return {
    tool,
    operation,
    access,
    annotations: {
      readOnlyHint: reads,
      ...(!reads && { destructiveHint: destructive }),
      idempotentHint: true,
      openWorldHint: openWorld,
    },
    inputSchema: inputSchema(tool),
    outputSchema: outputSchema({ output: tool.output ?? operation.output }) as z.ZodObject,
  };
}
