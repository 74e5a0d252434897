/** What `strata skill` prints. A test runs its commands. */
export const SKILL = `---
name: strata
description: Find passages in the user's documents with strata, and cite them so that the citation can be checked. Use it for questions about the user's own files, notes, manuals or code, in Chinese or English.
---

# Answer from the user's documents with strata

## Find

- A question: \`strata search "how are backups restored" --json\`. Each of \`results\` is a document (\`item\`); its
  \`matched_chunks\` have the passage (\`content\`), its place (\`title_path\`, \`loc\`) and its \`citation\`.
- A broad subject, or little context left: \`strata scout "backups" --json\` gives titles, ids and summaries; then
  \`strata inspect ID --json\` reads the passages that matter.
- Words that must stand together go in quotes: \`strata search '"exact phrase"'\`. \`--path docs\`, \`--type code\` and
  \`--after 2026-01-01\` narrow a search.
- What is there: \`strata list\` and \`strata status\`. Look at the status before you say that something is not there: the
  library may be empty, or another one.

## Cite

- Give \`citation.ref\` with everything you take from a passage; quote its words, do not improve them.
- Before you rely on something found a while ago: \`strata verify 'REF'\` says unchanged, moved, changed or gone.
- No hits, or only weak ones, is an answer: say that the documents do not tell.

## Keep it up to date

- \`strata add FOLDER\` reads what is new or changed. Only when the user asks for it: adding, removing, \`--sync\`.

With the MCP server (\`strata mcp install CLIENT\`) the same is called search_knowledge, scout, inspect, verify_citation,
list_documents and status; an answer with \`next\` goes on with \`after\`.
`;
