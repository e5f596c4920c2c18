// What the search of the site puts first: answers and guides, then pages of reference, then the API and evidence.
var Scorer = {
  score: ([page, title, anchor, description, score]) => {
    if (page === "questions") return score + 30;
    if (/^(howto\/|choosing|install|quickstart|first-tuning)/.test(page)) return score + 12;
    if (/^(reference\/|evidence\/|claims|others|racing-lab|bad-input|architecture|extend)/.test(page)) return score - 12;
    return score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 5, 1: 0, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
