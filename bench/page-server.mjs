// Serves the page in a process of its own, so that its use of the processor can be measured. Ends with its parent.
import { servePageOf } from "../scripts/setup/serve-page.mjs";

process.on("disconnect", () => process.exit(0));
const page = await servePageOf(process.env.METTLE_HOME);
process.send({ address: page.newAddress() });
