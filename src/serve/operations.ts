import type { Operation } from './operation.js';
import { audit } from './operations/access/audit.js';
import { endpointBind } from './operations/access/endpoint-bind.js';
import { endpointCreate } from './operations/access/endpoint-create.js';
import { endpointList } from './operations/access/endpoint-list.js';
import { endpointRemove } from './operations/access/endpoint-remove.js';
import { endpointUnbind } from './operations/access/endpoint-unbind.js';
import { grantAdd } from './operations/access/grant-add.js';
import { grantList } from './operations/access/grant-list.js';
import { grantRemove } from './operations/access/grant-remove.js';
import { keyCreate } from './operations/access/key-create.js';
import { keyList } from './operations/access/key-list.js';
import { keyRevoke } from './operations/access/key-revoke.js';
import { userAdd } from './operations/access/user-add.js';
import { userList } from './operations/access/user-list.js';
import { userRemove } from './operations/access/user-remove.js';
import { userSet } from './operations/access/user-set.js';
import { add } from './operations/add.js';
import { backup } from './operations/backup.js';
import { doctor } from './operations/doctor.js';
import { embed } from './operations/embed.js';
import { evaluation } from './operations/eval.js';
import { inspect } from './operations/inspect.js';
import { list } from './operations/list.js';
import { models } from './operations/models.js';
import { move } from './operations/move.js';
import { parse } from './operations/parse.js';
import { rebuild } from './operations/rebuild.js';
import { remove } from './operations/remove.js';
import { restore } from './operations/restore.js';
import { scout } from './operations/scout.js';
import { search } from './operations/search.js';
import { show } from './operations/show.js';
import { status } from './operations/status.js';
import { tableGet } from './operations/tools/table-get.js';
import { tableList } from './operations/tools/table-list.js';
import { tablePatch } from './operations/tools/table-patch.js';
import { tablePut } from './operations/tools/table-put.js';
import { tableRemove } from './operations/tools/table-remove.js';
import { toolCall } from './operations/tools/tool-call.js';
import { toolCreate } from './operations/tools/tool-create.js';
import { toolList } from './operations/tools/tool-list.js';
import { toolReindex } from './operations/tools/tool-reindex.js';
import { toolRemove } from './operations/tools/tool-remove.js';
import { toolShow } from './operations/tools/tool-show.js';
import { trust } from './operations/trust.js';
import { verify } from './operations/verify.js';

/**
 * Everything Strata does, once each, in the order people meet it. The commands, their help and completions, the MCP
 * tools, the HTTP routes and docs/reference.md are made from this table, so they cannot drift apart.
 *
 * To add one: its file in operations/ (input, output, handler, rendering, and its tool if agents may use it) and a line
 * here; then `npm run docs`.
 */
export const operations: readonly Operation[] = [
  add,
  search,
  scout,
  inspect,
  verify,
  list,
  show,
  remove,
  status,
  embed,
  models,
  parse,
  rebuild,
  doctor,
  backup,
  restore,
  move,
  trust,
  evaluation,
  tablePut,
  tableGet,
  tableList,
  tablePatch,
  tableRemove,
  toolCreate,
  toolList,
  toolShow,
  toolCall,
  toolReindex,
  toolRemove,
  endpointCreate,
  endpointList,
  endpointBind,
  endpointUnbind,
  endpointRemove,
  userAdd,
  userSet,
  userList,
  userRemove,
  keyCreate,
  keyList,
  keyRevoke,
  grantAdd,
  grantList,
  grantRemove,
  audit,
];

export function operationNamed(name: string): Operation | undefined {
  return operations.find((operation) => operation.name === name);
}
