import {
  renderReportsMarkdown,
  renderReportsText,
  type StackReport,
  summarize,
} from "../../preview";
import { apply, configured, event, type Step } from "./steps";

function reportOf(stack: string, ...steps: readonly Step[]): StackReport {
  return { stack, summary: summarize({ stack, events: steps.map(event) }) };
}

const same: Step = {
  op: "same",
  type: apply,
  name: "m-1",
  old: configured({}),
  new: configured({}),
};
const reboot: Step = {
  op: "update",
  type: apply,
  name: "m-2",
  diffs: ["redactedConfiguration"],
  old: configured({}),
  new: configured({ env: { A: "b" } }),
};

const reports: readonly StackReport[] = [
  reportOf("steady", same),
  reportOf("changing", same, reboot),
  { stack: "failing", error: 'there is no stack "failing"\nin "environments"' },
];

it("has a row for each stack, failed ones first, and the details of those that change", () => {
  const page = renderReportsMarkdown(reports);
  expect(page).toContain("### 3 stacks: 1 with changes, 1 without changes, 1 without a preview\n");
  expect(page.split("\n").filter((line) => /^\| (failing|changing|steady) /.test(line))).toEqual([
    "| failing | **failed** |  |  |  |",
    expect.stringMatching(/^\| changing \| 1 to change, 1 stay \| 1 \| \d+ \| stays at \$\d+/),
    expect.stringMatching(/^\| steady \| nothing changes, 1 stay \| 0 \| 0 \| stays at \$\d+/),
  ]);
  expect(page).toContain('**failing** has no preview:\n\n```\nthere is no stack "failing"\n');
  expect(page).toContain("### changing: 1 to change, 1 stay");
  expect(page).not.toContain("### steady");
});

it("counts auto scaling groups whose machines AWS ends", () => {
  const ended = (name: string): Step => ({
    op: "delete",
    type: "aws:autoscaling/group:Group",
    name,
    old: {},
    parent: "urn:pulumi:s::p::talos-aws:index:AutoScalingWorkerPool::burst",
  });
  const page = renderReportsMarkdown([
    reportOf("one", reboot, ended("a")),
    reportOf("two", ended("a"), ended("b")),
  ]);
  expect(page).toContain("| 1, and those of 1 auto scaling group |");
  expect(page).toContain("| 0, and those of 2 auto scaling groups |");
});

it("is found again by its first line", () => {
  expect(renderReportsMarkdown(reports).split("\n")[0]).toBe(
    "<!-- talos-aws preview of steady, changing, failing -->",
  );
});

it("says the same as text, with the outcome last", () => {
  const text = renderReportsText(reports);
  expect(text).toMatch(/^failing: no preview\n\n {2}there is no stack "failing"\n/);
  expect(text).toContain("changing: 1 to change, 1 stay\n");
  expect(text).toContain("steady: nothing changes, 1 stay\n");
  expect(text).toMatch(/\n3 stacks: 1 with changes, 1 without changes, 1 without a preview\n$/);
});
