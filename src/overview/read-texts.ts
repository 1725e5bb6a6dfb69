/** Reads the texts of a run that a page to keep shows, each cut, and all of them within a budget. Writes nothing. */
import type { OpenHost } from "../run/host.ts";
import type { RunModel } from "../views/model/run-model.ts";
import type { CutText, RunTexts } from "../views/model/run-texts.ts";

/** Bytes of one document, of one prompt or output, and of all texts of a page. */
const maxDocument = 200_000;
const maxPart = 6_000;
const maxAll = 3_000_000;
/** A larger output is not even read. */
const maxRead = 20_000_000;

/** A text that is missing or beyond the budget is left out; the page names the command that shows it. */
export async function readTexts(
  { payloads }: Pick<OpenHost, "payloads">,
  { documents, dispatches }: Pick<RunModel, "documents" | "dispatches">,
): Promise<RunTexts> {
  let left = maxAll;
  const read = async (ref: string, cut: (bytes: Buffer) => CutText): Promise<CutText | null> => {
    if (left <= 0) return null;
    const bytes = await payloads.get(ref).catch(() => null); // the page says how to see it
    if (bytes === null) return null;
    const text = cut(bytes);
    left -= text.text.length;
    return text;
  };
  const found = {
    documents: new Map<string, CutText>(),
    prompts: new Map<string, CutText>(),
    outputs: new Map<string, CutText>(),
  };
  for (const { name, ref } of documents)
    keep(found.documents, name, await read(ref, (bytes) => start(bytes, maxDocument)));
  for (const { key, prompt, output, outputBytes } of dispatches) {
    keep(found.prompts, key, await read(prompt, (bytes) => start(bytes, maxPart)));
    if (output === null) continue;
    const isHuge = outputBytes > maxRead;
    keep(found.outputs, key, isHuge ? { text: "", bytes: outputBytes, cut: true } : await read(output, end));
  }
  return {
    documents: Object.fromEntries(found.documents),
    prompts: Object.fromEntries(found.prompts),
    outputs: Object.fromEntries(found.outputs),
  };
}

function keep(texts: Map<string, CutText>, name: string, text: CutText | null): void {
  if (text !== null) texts.set(name, text);
}

function start(bytes: Buffer, max: number): CutText {
  return cutText(bytes, bytes.subarray(0, max).toString("utf8"), bytes.length > max);
}

/** The end says what came of it. The first line may be half, so it is left out. */
function end(bytes: Buffer): CutText {
  const isCut = bytes.length > maxPart;
  const text = bytes.subarray(-maxPart).toString("utf8");
  return cutText(bytes, isCut ? text.slice(text.indexOf("\n") + 1) : text, isCut);
}

function cutText(bytes: Buffer, text: string, cut: boolean): CutText {
  return { text: text.trimEnd(), bytes: bytes.length, cut };
}
