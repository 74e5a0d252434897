import { type Box, parted } from './boxes.js';
import { cropLine } from './crop.js';
import { confidenceOf, type ReadCharacter, readCharacters } from './ctc.js';
import { detectLines } from './detect.js';
import { splitAtGutters } from './gutters.js';
import { inkSpan, type Run, withoutCrumbs } from './ink.js';
import type { Network, OcrNetworks } from './network.js';
import { type QuarterTurns, type Raster, turned, turnedPoint } from './raster.js';

/** A line of text as it stands in a picture that has been turned upright. */
export interface ReadLine {
  readonly box: Box;
  /** Where its print begins and ends along the box, 0–1. */
  readonly ink: Run;
  readonly characters: readonly ReadCharacter[];
  /** 0–1, the mean over its characters. */
  readonly confidence: number;
}

export interface ReadPicture {
  /** The size of the picture when it is upright. */
  readonly width: number;
  readonly height: number;
  /** How the picture had to be turned to stand upright. */
  readonly turns: QuarterTurns;
  readonly lines: readonly ReadLine[];
}

/** The longest side on which lines are looked for: see docs/decisions/ocr.md for other values. */
const DETECT_SIDE = 1_440;
/** Heights and widths that the networks were trained with. */
const LINE_HEIGHT = 48;
const TURN_SHAPE = { width: 192, height: 48 } as const;
/** A line longer than this many heights would take the network much memory; no print has one. */
const LONGEST_LINE = 60;
/** Below this the network has guessed: PP-OCR's own value. */
const LEAST_CONFIDENCE = 0.5;
/** How many lines vote on which way up a page is. */
const VOTERS = 12;
/** How many lines are read both ways round where the vote says that the page is upside down. */
const READERS = 5;

/** Picture in, lines out: find them, turn the page upright, read each. */
export async function readPicture(
  networks: OcrNetworks,
  picture: Raster,
  { lanes = 1 }: { readonly lanes?: number } = {},
): Promise<ReadPicture> {
  const found = await detectLines(networks.detect, picture, DETECT_SIDE);
  const turns = await turnsToUpright(networks, picture, found);
  const upright = turned(picture, turns);
  const standing = parted(found.map((box) => turnedBox(box, picture, turns)).filter(isReadable));
  const boxes = splitAtGutters(upright, standing);
  const lines = await inLanes(boxes, lanes, (box) => readLine(networks, upright, box));
  const { width, height } = upright;
  return { width, height, turns, lines: lines.filter(({ confidence }) => confidence >= LEAST_CONFIDENCE) };
}

const isReadable = ({ width, height }: Box): boolean => height >= 4 && width / height <= LONGEST_LINE;

/**
 * Lines that are higher than wide: the page lies on its side. Whether it stands on its head is asked of the longest
 * lines; since few pages do, those lines must then also read better the other way round.
 */
async function turnsToUpright(
  networks: OcrNetworks,
  picture: Raster,
  boxes: readonly Box[],
): Promise<QuarterTurns> {
  const weigh = (some: readonly Box[]): number =>
    some.reduce((sum, { width, height }) => sum + Math.max(width, height), 0);
  const level = boxes.filter(({ width, height }) => width > 1.5 * height);
  const steep = boxes.filter(({ width, height }) => height > 1.5 * width);
  const isOnSide = weigh(steep) > weigh(level);
  const sideways: QuarterTurns = isOnSide ? 1 : 0;
  const seen = turned(picture, sideways);
  const voters = (isOnSide ? steep : level)
    .map((box) => turnedBox(box, picture, sideways))
    .sort((a, b) => b.width - a.width)
    .slice(0, VOTERS);
  let balance = 0;
  for (const box of voters) balance += await onItsHead(networks.turn, seen, box);
  // A page on its side may lie either way: nothing speaks for one but the vote.
  if (balance <= (isOnSide ? -0.5 * voters.length : 0)) return sideways;
  let better = 0;
  for (const box of voters.slice(0, READERS)) {
    const upright = await readLine(networks, seen, box);
    const flipped = await readLine(networks, seen, box, true);
    better += flipped.confidence - upright.confidence;
  }
  return better > 0 ? ((sideways + 2) as QuarterTurns) : sideways;
}

/** From -1 (upright) to 1. */
async function onItsHead(network: Network, picture: Raster, box: Box): Promise<number> {
  // The middle of a line tells as much as all of it, and need not be squeezed.
  const middle = { ...box, width: Math.min(box.width, 4 * box.height) };
  const { data, width, height } = cropLine(picture, middle, TURN_SHAPE.height, { width: TURN_SHAPE.width });
  const answer = await network.run(data, [1, 3, height, width]);
  return answer.data[1]! - answer.data[0]!;
}

function turnedBox(box: Box, picture: Raster, turns: QuarterTurns): Box {
  const { x, y } = turnedPoint(box, picture, turns);
  const { width, height } = box;
  return turns % 2 === 0 ? { ...box, x, y } : { ...box, x, y, width: height, height: width };
}

async function readLine(
  { recognise, alphabet }: OcrNetworks,
  picture: Raster,
  box: Box,
  flip = false,
): Promise<ReadLine> {
  const cut = cropLine(picture, box, LINE_HEIGHT, { flip });
  const span = inkSpan(cut);
  const { data, width, height } = withoutCrumbs(cut, span);
  const answer = await recognise.run(data, [1, 3, height, width]);
  const characters = readCharacters(answer.data, answer.dims.at(-2)!, alphabet);
  const ink = { from: span.from / width, to: span.to / width };
  return { box, ink, characters, confidence: confidenceOf(characters) };
}

/** The network runs outside this thread: several lines at once use as many cores. */
async function inLanes<T, R>(items: readonly T[], lanes: number, run: (item: T) => Promise<R>): Promise<R[]> {
  const out: R[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) out[at] = await run(items[at]!);
  };
  await Promise.all(Array.from({ length: Math.max(1, lanes) }, lane));
  return out;
}
