/**
 * The part of σ₄ and σ₅ that a run writes, between two markers. Pure; works on bytes, so that text outside of the markers stays
 * unchanged in any encoding. The part ends with its own hash, so that an edit is detected even after a crash and in another run.
 */
import { sha256 } from "../../lib/hash.ts";

export const beginMarker = "<!-- mettle:begin -->";
export const endMarker = "<!-- mettle:end -->";

export interface Projection {
  readonly bytes: Buffer;
  /** The text of a part that a person has edited; null if unchanged. */
  readonly edited: string | null;
}

export interface ProjectionInput {
  readonly text: string;
  /** `projectedHash` of the last written text; null if unknown. */
  readonly lastProjected: string | null;
}

/** Replaces the text between the markers. Restores missing markers, at the end if both are missing. */
export function project(before: Buffer, { text, lastProjected }: ProjectionInput): Projection {
  // One character per byte, so that the rest of the file keeps its bytes.
  const file = before.toString("latin1");
  const end = /^[^\n]*\r\n/u.test(file) ? "\r\n" : "\n";
  const asBytes = (part: string) => Buffer.from(part.replaceAll("\n", end), "utf8").toString("latin1");
  const isOurs = (inner: string) => isUntouched(decode(inner), lastProjected);
  const { from, to, inner } = placeOf(file, isOurs);
  const isNew = from === to;
  const gap = !isNew || file === "" ? "" : file.endsWith("\n") ? end : end + end;
  const after = isNew || file.charAt(to - 1) === "\n" ? end : "";
  const now = gap + asBytes(regionOf(text)) + after;
  const found = inner === null || isOurs(inner) ? "" : decode(inner);
  return {
    bytes: Buffer.from(file.slice(0, from) + now + file.slice(to), "latin1"),
    edited: found.trim() === "" || found.trim() === clean(text) ? null : found,
  };
}

/** The part with its markers, without a final line break. */
export function regionOf(text: string): string {
  return [beginMarker, ...innerOf(text), endMarker].join("\n");
}

/** Blanks the text between the markers, so that all positions stay the same. */
export function withoutRegion(text: string): string {
  const begin = lineWith(text, beginMarker, 0);
  const end = begin && lineWith(text, endMarker, begin.to);
  if (!end) return text;
  return (
    text.slice(0, begin.to) + text.slice(begin.to, end.from).replace(/[^\n]/gu, " ") + text.slice(end.from)
  );
}

/** Whether somebody has changed the text between the markers since Mettle wrote it; the next event of a run overwrites it. */
export function isRegionEdited(text: string): boolean {
  const { inner } = placeOf(text, (part) => isUntouched(part, null));
  return inner !== null && inner.trim() !== "" && !isUntouched(inner.replaceAll("\r\n", "\n"), null);
}

/** The text without the lines that are for Mettle alone. */
export function withoutMarkers(text: string): string {
  return text.replaceAll(/^<!-- mettle:[^\n]*-->[^\S\n]*\r?\n?/gmu, "");
}

/** The value for `lastProjected` after this text was written. */
export function projectedHash(text: string): string {
  return sha256(clean(text));
}

function innerOf(text: string): readonly string[] {
  return [clean(text), hashLine(projectedHash(text))];
}

function hashLine(hash: string): string {
  return `<!-- mettle:hash ${hash} -->`;
}

/** Escapes markers in a text, which would end the part early. */
function clean(text: string): string {
  return text.replaceAll(/\r\n?/gu, "\n").trim().replaceAll("<!-- mettle:", "<!- mettle:");
}

/** Whether the part is as Mettle wrote it, by the hash of the caller or the hash in the part. */
function isUntouched(inner: string, lastProjected: string | null): boolean {
  const part = inner.trim();
  const at = part.lastIndexOf("<!-- mettle:hash ");
  const hash = projectedHash(at === -1 ? part : part.slice(0, at));
  return hash === lastProjected || (at !== -1 && part.slice(at) === hashLine(hash));
}

interface RegionPlace {
  readonly from: number;
  /** After the line break of the end marker. */
  readonly to: number;
  /** The text between the markers; null if there are none. */
  readonly inner: string | null;
}

function placeOf(file: string, isOurs: (inner: string) => boolean): RegionPlace {
  const begin = lineWith(file, beginMarker, 0);
  const end = lineWith(file, endMarker, begin?.to ?? 0);
  if (begin && end) return { from: begin.from, to: end.to, inner: file.slice(begin.to, end.from) };
  if (begin) {
    // Only the end marker is missing: text that Mettle wrote is replaced, all other text is reported as edited.
    const rest = file.slice(begin.to);
    const own = hashLineEnds(rest).find((at) => isOurs(rest.slice(0, at)));
    return own === undefined
      ? { from: begin.from, to: begin.to, inner: rest }
      : { from: begin.from, to: begin.to + own, inner: rest.slice(0, own) };
  }
  if (end) {
    const rest = file.slice(0, end.from);
    const own = lineStarts(rest).find((at) => isOurs(rest.slice(at)));
    return own === undefined
      ? { from: end.from, to: end.to, inner: rest }
      : { from: own, to: end.to, inner: rest.slice(own) };
  }
  return { from: file.length, to: file.length, inner: null };
}

/** The range of the line that consists of this marker. */
function lineWith(file: string, marker: string, from: number): { from: number; to: number } | null {
  for (let at = file.indexOf(marker, from); at !== -1; at = file.indexOf(marker, at + 1)) {
    const start = file.lastIndexOf("\n", at) + 1;
    const found = file.indexOf("\n", at);
    const to = found === -1 ? file.length : found + 1;
    if (start >= from && file.slice(start, to).trim() === marker) return { from: start, to };
  }
  return null;
}

/** Offsets after each hash line, which is the last line of a part. */
function hashLineEnds(text: string): readonly number[] {
  return [...text.matchAll(/^<!-- mettle:hash [^\n]*(\n|$)/gmu)].map(
    ({ index, 0: line }) => index + line.length,
  );
}

/** Offsets of the last lines, up to the maximum of a part. */
function lineStarts(text: string): readonly number[] {
  if (hashLineEnds(text).at(-1) !== text.length) return [];
  return [0, ...[...text.matchAll(/\n(?=[^])/gu)].map(({ index }) => index + 1)].slice(-500);
}

function decode(latin1: string): string {
  return Buffer.from(latin1, "latin1").toString("utf8").replaceAll("\r\n", "\n");
}
