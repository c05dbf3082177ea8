import { terminalOf } from "../../cli/terminal";

const screen = { isTTY: true, columns: 100 };

describe("terminalOf", () => {
  it.each([
    ["a terminal", screen, {}, { isInteractive: true, color: true, width: 100 }],
    ["a pipe", {}, {}, { isInteractive: false, color: false, width: undefined }],
    ["a dumb terminal", screen, { TERM: "dumb" }, { color: false }],
    ["NO_COLOR", screen, { NO_COLOR: "1", FORCE_COLOR: "1" }, { color: false }],
    ["an empty NO_COLOR", screen, { NO_COLOR: "" }, { color: true }],
    ["FORCE_COLOR in a pipe", {}, { FORCE_COLOR: "1" }, { color: true, isInteractive: false }],
    ["FORCE_COLOR=0", screen, { FORCE_COLOR: "0" }, { color: false }],
    ["CI with a terminal", screen, { CI: "true" }, { isInteractive: false, color: true }],
    ["COLUMNS in a pipe", {}, { COLUMNS: "80" }, { width: 80 }],
    ["COLUMNS that is none", {}, { COLUMNS: "wide" }, { width: undefined }],
  ])("knows %s", (_, stream, env, expected) => {
    expect(terminalOf(stream, env)).toMatchObject(expected);
  });
});
