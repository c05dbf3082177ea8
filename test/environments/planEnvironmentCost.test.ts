import { readFileSync } from "node:fs";
import { join } from "node:path";
import { planEnvironmentCost } from "../../environments/planEnvironmentCost";
import { parseSettings } from "../../environments/settings";
import { rawSettings } from "./settingsFile";

const root = join(__dirname, "../..");

describe("planEnvironmentCost", () => {
  it.each(["sandbox", "staging", "production"])(
    "comes to what the README and the settings say of %s",
    (stack) => {
      const lines = planEnvironmentCost(parseSettings(rawSettings(stack)).cluster);
      const sum = (most: boolean) =>
        lines.reduce((total, { usdPerMonth = 0, usdPerMonthAtMost = usdPerMonth }) => {
          return total + (most ? usdPerMonthAtMost : usdPerMonth);
        }, 0);
      const [least, most] = [sum(false), sum(true)].map(
        (usd) => `$${Math.round(usd).toLocaleString("en-US")}`,
      );
      const dollars = least === most ? least : `${least} to ${most}`;
      const readme = readFileSync(join(root, "README.md"), "utf8");
      const [row = ""] = readme.split("\n").filter((line) => line.startsWith(`| \`${stack}\``));
      expect(row).toContain(`| ${dollars} `);
      const settings = readFileSync(join(root, `environments/Pulumi.${stack}.yaml`), "utf8");
      expect(settings).toContain(`Costs about ${dollars} a month`);
      for (const { rate = "" } of lines) {
        expect(settings).toContain(rate);
        expect(row).toContain(rate);
      }
    },
  );
});
