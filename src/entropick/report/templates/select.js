"use strict";
// Select columns again from the information of pairs, as the library does: see measures/pairs in its source.
const BASE_64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const TOLERANCE = 1e-9; // bits; what was packed is exact to 1e-10. Of tied columns the first is taken,
// for adjusted criteria by class the one that tells most alone.

// Numbers of a fixed number of bits each, in digits of base 64; NaN where the code is 0 and that marks something.
function unpack({ low, step, bits, text }, marksZero = false) {
  const digit = new Float64Array(128);
  [...BASE_64].forEach((character, value) => (digit[character.charCodeAt(0)] = value));
  const numbers = new Float64Array(Math.floor((text.length * 6) / bits));
  for (let k = 0, at = 0, known = 0, read = 0; k < text.length; k++) {
    read = read * 64 + digit[text.charCodeAt(k)];
    known += 6;
    if (known < bits) continue;
    const rest = 2 ** (known -= bits); // the last bits belong to the next number
    const code = Math.floor(read / rest);
    read %= rest;
    numbers[at++] = marksZero && code === 0 ? NaN : low + step * code;
  }
  return numbers;
}

// What columns f and s tell, as functions of both: I(f;s) and I(f;y|s) of the criteria; I(f;y|s) less chance,
// what that is by chance, and whether f follows from s.
function openPairs(pairs) {
  const n = pairs.relevance.length;
  const redundancy = square(unpack(pairs.redundancy), n);
  const of = openEstimates(pairs, n);
  const gains = pairs.gains ? openEstimates(pairs.gains, n) : of;
  return {
    ...pairs,
    n,
    redundancyOf: (f, s) => redundancy[s * n + f],
    given: of.given,
    gains: { ...gains, follows: (f, s) => Number.isNaN(gains.chance[s * n + f]) },
  };
}

function openEstimates({ relevance, plain_relevance, joint, chance }, n) {
  const [both, byChance] = [square(unpack(joint), n), chance && unpack(chance, true)];
  const expected = (f, s) => (byChance ? byChance[s * n + f] || 0 : 0);
  const given = (f, s) => both[s * n + f] - plain_relevance[s] - expected(f, s);
  return { relevance, plain_relevance, chance: byChance, expected, given };
}

function square(triangle, n) {
  const full = new Float64Array(n * n);
  let at = 0;
  for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) full[i * n + j] = full[j * n + i] = triangle[at++];
  return full;
}

// The criteria: a term for each selected column s, how terms are joined, and the score. `byClass` ones test gains.
const sum = (a, b) => a + b;
const CRITERIA = {
  JMI: { byClass: true, correction: "adjusted", term: (pair) => pair.joint, score: (relevance, total) => total },
  CMIM: { join: Math.min, term: (pair) => pair.given, score: (relevance, total) => Math.min(relevance, total) },
  MRMR: { term: (pair) => pair.redundancy, score: (relevance, total, n) => relevance - total / n },
  JMIM: { join: Math.min, term: (pair) => pair.joint, score: (relevance, total) => total },
  CIFE: { byClass: true, term: (pair) => pair.within - pair.redundancy, score: (relevance, total) => relevance + total },
  ICAP: {
    byClass: true,
    term: (pair) => Math.max(0, pair.redundancy - pair.within),
    score: (relevance, total) => relevance - total,
  },
  MIFS: { term: (pair) => pair.redundancy, score: (relevance, total, n, { beta = 1 }) => relevance - beta * total },
  MIQ: {
    term: (pair) => pair.redundancy,
    score: (relevance, total, n, { epsilon = 0.01 }) => relevance / (Math.max(total / n, 0) + epsilon),
  },
  CFR: { byClass: true, term: (pair) => pair.given + pair.within - pair.redundancy, score: (relevance, total) => total },
  DCSF: { byClass: true, term: (pair) => pair.given + pair.ofPick - pair.redundancy, score: (relevance, total) => total },
  MRI: {
    byClass: true,
    term: (pair) => pair.within - pair.redundancy,
    score: (relevance, total, n) => relevance + (2 / (n + 1)) * total,
  },
  MIM: { term: () => 0, score: (relevance) => relevance },
};

// All columns in the order of selection, pinned ones first: column, score, gain and whether it may be chance.
function selectAll(pairs, name, { pinned = [], banned = [], parameters = {} } = {}) {
  const criterion = CRITERIA[name];
  const state = newState(pairs);
  const order = [];
  const take = (column, step) => {
    order.push({ column, gain: gainOf(state, column), ...step });
    state.open = state.open.filter((f) => f !== column);
    include(state, criterion, column);
  };
  state.open = state.open.filter((f) => !banned.includes(f));
  state.n_candidates -= banned.filter((f) => pairs.entropy[f] > 0).length;
  for (const column of pinned) take(column, { score: NaN, pinned: true });
  while (state.open.length) {
    const scoreOf = (f) =>
      state.n_picked ? criterion.score(pairs.relevance[f], state.totals[f], state.n_picked, parameters) : pairs.relevance[f];
    take(...bestOf(state, criterion, scoreOf));
  }
  return order;
}

function newState(pairs) {
  return {
    pairs,
    open: [...Array(pairs.n).keys()],
    totals: new Float64Array(pairs.n),
    gained: Float64Array.from(pairs.gains.relevance),
    expected: Float64Array.from(pairs.gains.plain_relevance, (plain, f) => plain - pairs.gains.relevance[f]),
    follows: new Uint8Array(pairs.n),
    n_picked: 0,
    n_candidates: pairs.n_candidates,
  };
}

function include(state, criterion, s) {
  const { pairs } = state;
  const join = criterion.join || sum;
  const isFirst = state.n_picked === 0;
  for (const f of state.open) {
    const given = pairs.given(f, s);
    const redundancy = pairs.redundancyOf(f, s);
    const joint = pairs.relevance[s] + given;
    const within = redundancy + given - pairs.relevance[f];
    const term = criterion.term({ redundancy, given, joint, within, ofPick: joint - pairs.relevance[f] });
    state.totals[f] = isFirst ? term : join(state.totals[f], term);
    state.gained[f] = pairs.gains.given(f, s) + (isFirst ? 0 : state.gained[f]);
    state.expected[f] = pairs.gains.expected(f, s) + (isFirst ? 0 : state.expected[f]);
    if (pairs.gains.follows(f, s)) state.follows[f] = 1;
  }
  state.n_picked++;
  if (pairs.entropy[s] > 0) state.n_candidates--;
}

// Bits that a column adds: the mean of I(f;y|s) over the selected columns s, 0 if one of them determines it.
const gainOf = (state, f) => (state.follows[f] ? 0 : state.gained[f] / Math.max(state.n_picked, 1));

// The best column; constants come last. One that adds no more than chance is passed over if another adds more, and if
// all may be chance, one that adds nothing at all is passed over if another adds something.
function bestOf(state, criterion, scoreOf) {
  const varying = state.open.filter((f) => state.pairs.entropy[f] > 0);
  const open = varying.length ? varying : state.open;
  const isAdjusted = criterion.byClass && state.pairs.correction === "adjusted";
  const best = firstOfBest(open, scoreOf, isAdjusted && ((f) => state.pairs.relevance[f]));
  if (!mayBeChance(state, best)) return [best, { score: scoreOf(best), isChance: false }];
  if (!isAdjusted) return [best, { score: scoreOf(best), isChance: true }];
  let better = open.filter((f) => !mayBeChance(state, f));
  const isChance = !better.length;
  if (isChance && gainOf(state, best) <= TOLERANCE) better = open.filter((f) => gainOf(state, f) > TOLERANCE);
  const winner = better.length ? firstOfBest(better, scoreOf, (f) => state.pairs.relevance[f]) : best;
  return [winner, { score: scoreOf(winner), isChance }];
}

// The column of the best score; of tied ones that of the best second score, if there is one, or the first.
function firstOfBest(columns, scoreOf, secondScoreOf) {
  const scores = columns.map(scoreOf);
  const top = scores.reduce((a, b) => Math.max(a, b));
  const tied = columns.filter((column, k) => scores[k] >= top - TOLERANCE * Math.max(1, Math.abs(top)));
  return secondScoreOf && tied.length > 1 ? firstOfBest(tied, secondScoreOf) : (tied[0] ?? columns[0]);
}

// Whether columns that tell nothing would add as much: twice the information in nats and rows is about χ².
function mayBeChance(state, f) {
  const level = state.pairs.level / state.n_candidates;
  const toChi2 = 2 * Math.LN2 * state.pairs.n_rows;
  const by = state.follows[f] ? 0 : toChi2 / Math.max(state.n_picked, 1);
  const freedom = Math.max(state.expected[f] * by, 0);
  const found = Math.max(freedom + state.gained[f] * by, 0);
  if (freedom <= 1e-9 || (freedom >= 1 && found <= freedom)) return true; // the tail above the mean is long
  return upperGamma(freedom / 2, found / 2) > level;
}

// The regularised incomplete gamma function Q(a, x): by its series below the mean, by a continued fraction above.
function upperGamma(a, x) {
  const front = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let total = term;
    for (let k = 1; term > total * 1e-16; k++) total += term *= x / (a + k);
    return 1 - front * total;
  }
  let b = x + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let fraction = d;
  for (let k = 1, change = 0; Math.abs(change - 1) > 1e-15 && k < 10000; k++) {
    const numerator = -k * (k - a);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    change = c * d;
    fraction *= change;
  }
  return front * fraction;
}

// log Γ by Lanczos' approximation, to about 15 digits.
function logGamma(a) {
  const weights = [
    676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
    -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
  ];
  if (a < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * a)) - logGamma(1 - a);
  const series = weights.reduce((total, weight, k) => total + weight / (a + k), 0.9999999999998099);
  const t = a + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (a - 0.5) * Math.log(t) - t + Math.log(series);
}
