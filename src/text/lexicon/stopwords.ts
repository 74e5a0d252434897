/**
 * English function words. They are indexed (phrases need them, and so does a query of nothing else, such as "who")
 * but do not count in a unit's length, and a query that has other words drops them. Left out on purpose: `us`
 * (which "U.S." becomes) and `may` (a month).
 */
const LIST = `
a about above after again against all also am an and any are as at be because been before being below between both but
by can cannot could did do does doing down during each either else ever every few for from further get gets got had has
have having he her here hers herself him himself his how however i if in into is it its itself just let me might more
most much must my myself no nor not of off on once only onto or other our ours ourselves out over own per quite rather
really same shall she should since so some such than that the their theirs them themselves then there these they this
those through thus to too under until up upon very via was we were what when where whether which while who whom whose
why will with within without would yet you your yours yourself yourselves
`;

export const STOP_WORDS: ReadonlySet<string> = new Set(LIST.trim().split(/\s+/));
