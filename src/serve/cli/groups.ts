/** Commands that hold several: `strata table put`. Each line is what the list of commands says of it. */
export const GROUPS: Readonly<Record<string, string>> = {
  table: 'Keep big JSON in the library: put, get, list, patch, remove',
  tool: 'Make search tools of the long strings of a table, and call them',
  endpoint: 'Show search tools to agents at an MCP address of their own: create, list, bind, unbind, remove',
  user: 'Say who may use the library over HTTP: add, set, list, remove',
  key: 'Make the keys that users call with: create, list, revoke',
  grant: 'Let a user use one table, tool or endpoint: add, list, remove',
};
