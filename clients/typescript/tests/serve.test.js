/** The program plays the core's side of a transcript, and checks the client's. */
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { Core, CoreStopped } from "../dist/index.js";
import { ProcessTransport } from "../dist/node.js";
import { repository, showcase } from "./support.js";

const limit = { timeout: 60_000 };

/** Starts a core that plays a transcript. */
async function serve(name, options) {
  const file = path.join(repository, "Protocol/transcripts", `${name}.transcript`);
  const transport = await ProcessTransport.start([showcase, "replay", "--serve", file]);
  const core = await new Core(async () => transport, { lifecycle: false, ...options }).start();
  return { core, transport };
}

test("a form sends what the transcript has", limit, async () => {
  const { core, transport } = await serve("form/B08-confirm-finishes-with-account");
  const finished = core.events("1", "finished");
  const [name, email] = [core.field("1", "nameText"), core.field("1", "emailText")];
  name.write("Kim");
  await email.write("kim@example.com");
  assert.equal(name.value, "Kim");
  assert.equal(core.document.get("/screens/1/output/isConfirmEnabled"), true);
  await core.input("1", "confirm");
  assert.equal((await finished.next()).value.value.email, "kim@example.com");
  await core.close();
  assert.equal((await transport.ended).status, 0);
});

test("a handler answers as the transcript has it", limit, async () => {
  let asked = 0;
  const { core, transport } = await serve("explore/C07-denied", {
    prompts: {
      "notifications.authorize"() {
        asked++;
        return { granted: false };
      },
      "notifications.schedule": () => assert.fail("nothing is to be scheduled"),
    },
  });
  await core.input("1", "didAppear");
  await core.until(() => core.document.get("/screens/1/output/showsPushPermission"));
  await core.input("1", "pushPermissionTapped");
  await core.input((await core.waitFor("customModal")).id, "primaryButtonTapped");
  await core.until(() => core.document.prompts.q2?.kind === "alert");
  await core.input("1", "pushPermissionTapped");
  assert.equal(asked, 1);
  await core.close();
  assert.equal((await transport.ended).status, 0);
});

test("a line that the transcript does not have ends the run", limit, async () => {
  const { core, transport } = await serve("form/B08-confirm-finishes-with-account");
  core.field("1", "nameText").write("Kim");
  await assert.rejects(core.field("1", "emailText").write("kim@elsewhere"), (error) => {
    assert.ok(error instanceof CoreStopped);
    assert.equal(error.status, 1);
    assert.match(error.message, /kim@elsewhere/);
    assert.match(error.message, /kim@example\.com/);
    return true;
  });
  assert.equal(core.status, "stopped");
  assert.equal((await transport.ended).status, 1);
});
