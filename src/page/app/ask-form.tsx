/** The form of one ask: approve or reject, answers to questions, a named answer, or what an agent should know. */
import { useSignal, type Signal } from "@preact/signals";
import type { AskModel } from "../../views/model/decision-model.ts";
import { countText, nameText } from "../parts/words.ts";
import type { RunPlace } from "./api.ts";
import { CommentList } from "./comments.tsx";
import { DecideButton, DecisionForm, decideFor, Refused, useSending } from "./decide.tsx";
import { PlanGate } from "./plan/plan-gate.tsx";
import { comments } from "./state.ts";
import type { RunNow } from "./wire.ts";

export interface AskFormProps {
  readonly ask: AskModel;
  readonly hash: string;
  readonly at: RunPlace;
  readonly state: string;
  readonly model: RunNow["model"];
}

export function AskForm(props: AskFormProps) {
  const { kind, answers } = props.ask;
  if (kind === "plan_gate") return <PlanGate {...props} />;
  if (kind === "questions") return <Questions {...props} />;
  if (kind === "base") return <Base {...props} />;
  if (kind === "paused") return <Paused {...props} />;
  return (
    <>
      {answers.includes("approve") ? <Approval {...props} /> : null}
      {answers.some((answer) => resumeWords.has(answer)) ? <ResumeWith {...props} /> : null}
      <NamedAnswers {...props} />
    </>
  );
}

const resumeWords: ReadonlySet<string> = new Set(["reset", "context", "approach"]);

function Approval({ ask: { key, answers }, hash, at }: AskFormProps) {
  const sending = useSending();
  const decide = decideFor(at, sending);
  const reason = useSignal("");
  const count = comments.value.length;
  const reject = async (): Promise<void> => {
    const sent = {
      type: "reject" as const,
      ask: key,
      hash,
      reason: reason.value,
      comments: comments.value.map(({ shown: _, ...comment }) => comment),
    };
    if (await decide(sent, "rejected")) comments.value = [];
  };
  return (
    <DecisionForm name="approval">
      {answers.includes("reject") ? (
        <>
          <Field label="What is wrong, if you reject it" value={reason} lines={3} />
          <CommentList />
        </>
      ) : null}
      <p class="buttons">
        <DecideButton
          kind="yes"
          sending={sending}
          isOff={count > 0}
          onDecide={() => void decide({ type: "approve", ask: key, hash }, "approved")}
        >
          Approve what is shown
        </DecideButton>
        {answers.includes("reject") ? (
          <DecideButton
            kind="no"
            sending={sending}
            isOff={reason.value.trim() === "" && count === 0}
            onDecide={() => void reject()}
          >
            Reject{count === 0 ? "" : ` with ${countText(count, "comment")}`}
          </DecideButton>
        ) : null}
      </p>
      <Refused error={sending.error.value} />
    </DecisionForm>
  );
}

function Questions({ ask: { key, questions }, hash, at }: AskFormProps) {
  const sending = useSending();
  const texts = useSignal<Readonly<Record<string, string>>>({});
  const answers = questions.flatMap(({ id }) => {
    const text = texts.value[id] ?? "";
    return text.trim() === "" ? [] : [{ id, text }];
  });
  const open = questions.length - answers.length;
  return (
    <DecisionForm name="questions">
      {questions.map(({ id, topic, text }) => (
        <label key={id} class="field">
          <span>
            <span class="place">{topic}</span> {text}
          </span>
          <textarea
            rows={2}
            name={id}
            value={texts.value[id] ?? ""}
            onInput={({ currentTarget }) => (texts.value = { ...texts.value, [id]: currentTarget.value })}
          />
        </label>
      ))}
      <p class="buttons">
        <DecideButton
          kind="yes"
          sending={sending}
          isOff={answers.length === 0}
          onDecide={() =>
            void decideFor(at, sending)({ type: "answer", ask: key, hash, answers }, "answered")
          }
        >
          Send {countText(answers.length, "answer")}
        </DecideButton>
        <span class="aside">
          {open === 0 ? "" : `${countText(open, "question")} stay${open === 1 ? "s" : ""} open`}
        </span>
      </p>
      <Refused error={sending.error.value} />
    </DecisionForm>
  );
}

/** A base of which tests fail is accepted by typing their number, as in a terminal. */
function Base({ ask: { key }, hash, at, model }: AskFormProps) {
  const sending = useSending();
  const typed = useSignal("");
  const failing = model.asked.baseTests?.failing ?? 0;
  return (
    <DecisionForm name="base">
      <Field label={`Type ${failing} to go on although so many tests fail already`} value={typed} lines={1} />
      <p class="buttons">
        <DecideButton
          kind="yes"
          sending={sending}
          isOff={typed.value.trim() !== String(failing)}
          onDecide={() =>
            void decideFor(at, sending)({ type: "accept-base", ask: key, hash, count: failing }, "accepted")
          }
        >
          Accept the base
        </DecideButton>
      </p>
      <Refused error={sending.error.value} />
    </DecisionForm>
  );
}

function Paused({ at, state }: AskFormProps) {
  const sending = useSending();
  return (
    <DecisionForm name="paused">
      <p class="buttons">
        <DecideButton
          kind="yes"
          sending={sending}
          onDecide={() => void decideFor(at, sending)({ type: "resume", state, text: "" }, "the run goes on")}
        >
          Try again
        </DecideButton>
      </p>
      <Refused error={sending.error.value} />
    </DecisionForm>
  );
}

function ResumeWith({ ask: { key, answers }, hash, at, model }: AskFormProps) {
  const sending = useSending();
  const text = useSignal("");
  const decide = decideFor(at, sending);
  const reset = model.breakers.findLast((breaker) => breaker.key === key)?.reset ?? "";
  const choices = [
    ["context", "Go on, and tell the agent this"],
    ["approach", "Ask for this other approach"],
  ] as const;
  return (
    <DecisionForm name="breaker">
      <Field label="What the agent should know or do" value={text} lines={3} />
      <p class="buttons">
        {choices
          .filter(([choice]) => answers.includes(choice))
          .map(([choice, label]) => (
            <DecideButton
              key={choice}
              kind={choice === "context" ? "yes" : ""}
              sending={sending}
              isOff={text.value.trim() === ""}
              onDecide={() =>
                void decide(
                  { type: "resume-with", ask: key, hash, choice, text: text.value },
                  "the run goes on",
                )
              }
            >
              {label}
            </DecideButton>
          ))}
        {answers.includes("reset") && reset !== "" ? (
          <DecideButton
            sending={sending}
            onDecide={() =>
              void decide(
                { type: "resume-with", ask: key, hash, choice: "reset", text: reset },
                "the run goes back",
              )
            }
          >
            Go back to {reset.slice(0, 10)}
          </DecideButton>
        ) : null}
      </p>
      <Refused error={sending.error.value} />
    </DecisionForm>
  );
}

/** What the answers of the shipped protocols say on their buttons. */
const answerWords: Readonly<Record<string, string>> = {
  answer: "Answer",
  revise: "Revise",
  review: "Ask the reviewer",
  resume: "Try again",
  "test-wrong": "The test is wrong",
  "test-right": "The test is right",
};

/** Answers that the protocol names, besides approve and reject. */
function NamedAnswers({ ask: { key, answers }, hash, at }: AskFormProps) {
  const sending = useSending();
  const text = useSignal("");
  const named = answers.filter(
    (answer) => !["approve", "reject"].includes(answer) && !resumeWords.has(answer),
  );
  if (named.length === 0) return null;
  return (
    <DecisionForm name="answer">
      <Field label={named.includes("answer") ? "Your answer" : "Anything to add"} value={text} lines={2} />
      <p class="buttons">
        {named.map((answer) => (
          <DecideButton
            key={answer}
            sending={sending}
            isOff={answer === "answer" && text.value.trim() === ""}
            onDecide={() =>
              void decideFor(at, sending)(
                { type: "choose", ask: key, hash, answer, text: text.value },
                "answered",
              )
            }
          >
            {answerWords[answer] ?? nameText(answer)}
          </DecideButton>
        ))}
      </p>
      <Refused error={sending.error.value} />
    </DecisionForm>
  );
}

export function Field({
  label,
  value,
  lines,
}: {
  readonly label: string;
  readonly value: Signal<string>;
  readonly lines: number;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <textarea
        rows={lines}
        value={value.value}
        onInput={({ currentTarget }) => (value.value = currentTarget.value)}
      />
    </label>
  );
}
