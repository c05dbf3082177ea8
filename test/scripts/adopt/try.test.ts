import { readdirSync } from "node:fs";
import { readOurSources } from "../../../scripts/adopt/ourSources";
import { citedSources } from "../../../scripts/adopt/citations";
import { compareSchemas } from "../../../scripts/adopt/compareSchemas";
import a from "../../../provider/config/schema/v1.13.json";
import b from "../../../provider/config/schema/v1.14.json";
test("try", () => {
  const m = "/root/go/pkg/mod/github.com/siderolabs/talos";
  const list = (d: string) => readdirSync(d, {recursive: true, encoding: "utf8"}).filter((x) => x.endsWith(".go"));
  const up = [...new Set(["v1.12.1", "v1.13.9", "v1.14.1"].flatMap((r) => [...list(`${m}@${r}`), ...list(`${m}/pkg/machinery@${r}`).map((x) => `pkg/machinery/${x}`)]))];
  const { citations, foreign } = citedSources(readOurSources(process.cwd()), up);
  console.log(citations.size, foreign.length);
  console.log(foreign.map(({file, name}) => `${name}  ${file}`).sort().join("\n"));
  const c = compareSchemas(a as never, b as never);
  console.log(JSON.stringify(c, null, 1).length, c.kindsThatCame.length, c.kindsThatWent, c.fieldsThatCame.length, c.fieldsThatWent, c.deprecated.length, c.changed.slice(0, 12), c.conflicts.slice(0,3));
});
