// What others measured on the same sets, for the column beside ours. `main` says which metric a set is judged by,
// `label` what its row is called.
// "lab": our own earlier prototype (BM25 over unigrams and bigrams, the same two models), November 2026.
export const FIGURES = {
  anthropic_docs: {
    main: 'ndcg_10',
    lab: { keyword: 0.701, vector: 0.695, hybrid: 0.809 },
    published: 'voyage-2: MRR .74; with headings and summaries .77; with an LLM to rerank .87',
  },
  cisi: { main: 'ndcg_10' },
  cranfield: { main: 'ndcg_10' },
  medline: { main: 'ndcg_10', lab: { keyword: 0.687, vector: 0.809, hybrid: 0.821 } },
  stard_zh_law: { main: 'ndcg_10', lab: { keyword: 0.54, vector: 0.526, hybrid: 0.573 } },
  rgb_en: { main: 'ndcg_10' },
  rgb_zh: { main: 'ndcg_10' },
  scifact_train: {
    main: 'ndcg_10',
    published: 'BEIR, test claims: BM25 .665–.679, all-MiniLM-L6-v2 .645',
  },
  hotpotqa_100: { main: 'ndcg_10' },
  musique_100: { main: 'ndcg_10' },
  gitlab_handbook_rag: { main: 'ndcg_10' },
  qmd_eval: { main: 'ndcg_10' },
  kb_mixed_public: { main: 'hit_1' },
  cmrc2018_trial: { main: 'hit_1' },
  drcd_dev: { main: 'hit_1' },
  policyqa_dev: {
    main: 'hit_5',
    inside: true,
    lab: { keyword: 0.613, vector: 0.639, hybrid: 0.649 },
  },
  xquad_en2zh: {
    label: 'xquad_en2zh, no titles',
    main: 'hit_5',
    lab: { keyword: 0.225, vector: 0.59, hybrid: 0.562 },
  },
  xquad_en2zh_titles: { label: 'xquad_en2zh, with titles', main: 'hit_5' },
  xquad_zh2en: { label: 'xquad_zh2en, no titles', main: 'hit_5', lab: { keyword: 0.183, vector: 0.309 } },
  xquad_zh2en_titles: { label: 'xquad_zh2en, with titles', main: 'hit_5' },
};
