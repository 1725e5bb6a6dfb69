/** Parts of a page that are drawn again only if something changed of what they show. */
import { Component, type ComponentClass, type FunctionComponent } from "preact";
import type { RunModel } from "../../views/model/run-model.ts";

interface WholeModel {
  readonly model: RunModel;
}

/** @param fields all that the part shows of the model */
export function redrawnFor<Field extends keyof RunModel>(
  fields: readonly Field[],
  Part: FunctionComponent<{ readonly model: Pick<RunModel, Field> }>,
): ComponentClass<WholeModel> {
  return class extends Component<WholeModel> {
    override shouldComponentUpdate({ model }: WholeModel): boolean {
      return fields.some((field) => model[field] !== this.props.model[field]);
    }
    override render() {
      return <Part model={this.props.model} />;
    }
  };
}
