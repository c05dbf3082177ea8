import { parse } from "yaml";
import { compileCel } from "../../../../emulator/talos/kubernetes/celExpression";
import type { ClientIdentity } from "../../../../emulator/talos/kubernetes/serviceAccountToken";
import {
  authenticatorsIn,
  type Claims,
  issuerOf,
  userIn,
} from "../../../../emulator/talos/kubernetes/structuredAuthentication";
import type { YamlValue } from "../../../../provider/config";
import { recordedAuthentication } from "../../../conformance/support/authenticationCode";

describe("a simulated API server and people's tokens", () => {
  const judged = recordedAuthentication().judged.flatMap(({ request, answers }) =>
    Object.values(answers).map(({ users = [] }) => ({ request, users })),
  );

  /** Whom the emulator sees; undefined for nobody. */
  function seen(config: string, claims: Claims): ClientIdentity | undefined {
    const authenticator = authenticatorsIn(parse(config) as YamlValue).find(
      (each) => issuerOf(each) === claims.iss,
    );
    try {
      return authenticator && userIn(authenticator, claims, new Date());
    } catch {
      return undefined;
    }
  }

  it("sees whom Kubernetes' own code sees", () => {
    let people = 0;
    for (const { request, users } of judged) {
      users.forEach(({ name, groups = [], extra }, index) => {
        const expected = name === undefined ? undefined : { name, groups, ...(extra && { extra }) };
        expect(seen(request.config, request.tokens[index] as Claims)).toEqual(expected);
        people += name === undefined ? 0 : 1;
      });
    }
    expect(people).toBeGreaterThan(10);
  });
});

describe("an expression about claims", () => {
  const evaluated = (expression: string) =>
    compileCel(expression)({ claims: { sub: "a", groups: ["x", "y"], tenant: { id: "1" } } });

  it.each([
    ['claims.sub == "a" && !(claims.sub in ["b"])', true],
    ['claims.sub != "a" || "id" in claims.tenant', true],
    ['claims.groups.exists(group, group.endsWith("y"))', true],
    ['claims.groups.all(group, group.contains("x"))', false],
    ['claims.?other.?name.orValue("none")', "none"],
    ['claims[?"tenant"].?id.orValue("none")', "1"],
    ['{"a": ["\\u0061\\""]}[claims.sub]', ['a"']],
  ])("%s", (expression, value) => {
    expect(evaluated(expression)).toEqual(value);
  });

  it.each([
    ["claims.other", /no such key: "other"/],
    ["claims.sub.all(x, true)", /no such overload/],
    ["other.sub", /undeclared reference to 'other'/],
    ['claims.sub.matches("a")', /doesn't know the function matches/],
    ["claims.sub ==", /can't read the expression/],
    ["claims.sub ; 1", /can't read the expression/],
  ])("%s is an error", (expression, words) => {
    expect(() => evaluated(expression)).toThrow(words);
  });
});
