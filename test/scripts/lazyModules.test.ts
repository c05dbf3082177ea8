import { version } from "typescript";
import { version as pinned } from "typescript/package.json";

describe("the modules that tests load when they look at them", () => {
  it("are the real ones", () => {
    expect(version).toBe(pinned);
    expect(jest.requireActual<{ Arborist: unknown }>("@npmcli/arborist").Arborist).toBe(
      jest.requireActual<{ Arborist: unknown }>("@npmcli/arborist/lib/index.js").Arborist,
    );
  });

  it("name what is in them", () => {
    const names = Object.keys(jest.requireActual<object>("typescript"));
    expect(names).toContain("transpileModule");
  });
});
