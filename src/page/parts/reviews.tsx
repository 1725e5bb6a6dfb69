/** Reviews: who said what, word for word. */
import type { RunModel } from "../../views/model/run-model.ts";
import type { ReviewModel } from "../../views/model/verdict-model.ts";
import { Mark } from "./mark.tsx";
import { InPieces } from "./pieces.tsx";
import { Fold, Section } from "./section.tsx";
import { clockText, countText } from "./words.ts";

export function Reviews({ model }: { readonly model: Pick<RunModel, "reviews" | "loopReviews"> }) {
  const { reviews, loopReviews } = model;
  if (reviews.length + loopReviews.length === 0) return null;
  return (
    <Section id="reviews" title="Reviews">
      {loopReviews.length === 0 ? null : (
        <ul class="plain">
          {loopReviews.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <InPieces of={reviews} max={maxReviews} newest>
        {(shown) => shown.map((review) => <Review key={review.key} review={review} />)}
      </InPieces>
    </Section>
  );
}

const maxReviews = 300;

const gateNames: Readonly<Record<number, string>> = { 1: "plan", 2: "tests", 3: "code" };

function Review({ review }: { readonly review: ReviewModel }) {
  const { verdict, label, vendor, agent, gate, at, reason, issues, suggestions, omitted } = review;
  const said = [
    ...(issues.length === 0 ? [] : [countText(issues.length, "issue")]),
    ...(suggestions.length === 0 ? [] : [countText(suggestions.length, "suggestion")]),
  ].join(", ");
  const title = (
    <>
      <Mark of={verdict} />
      <strong>{label}</strong>
      <span class="place">{gateNames[gate] ?? `gate ${gate}`}</span>
      <span class="aside">{said === "" ? clockText(at) : `${said}, ${clockText(at)}`}</span>
    </>
  );
  return (
    <div class="review" data-review={verdict}>
      <Fold title={title} open={verdict !== "APPROVED"}>
        <p class="aside">
          {agent === vendor ? agent : `${agent} of ${vendor}`}
          {reason === "" ? "" : `; ${reason}`}
        </p>
        <Said title="Has to change" texts={issues} />
        <Said title="Suggestions" texts={suggestions} />
        <Said title="Too large to be shown to the reviewer" texts={omitted} />
      </Fold>
    </div>
  );
}

function Said({ title, texts }: { readonly title: string; readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul class="plain">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </>
  );
}
