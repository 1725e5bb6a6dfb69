import { Dialog } from "./dialog.tsx";
import { keys } from "./keys.ts";
import { isHelpOpen } from "./state.ts";

export function HelpDialog() {
  return (
    <Dialog title="Keys" onClose={() => (isHelpOpen.value = false)}>
      <dl class="pairs">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
