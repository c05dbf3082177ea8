import { celFields, celVariables, checkCel } from "../../../../provider/config/schema/celSyntax";

test.each([
  "!system_disk",
  "system_disk",
  "disk.transport == 'nvme' && !system_disk",
  "disk.size > 10u * GB && disk.size < 1u * TB",
  "'/dev/disk/by-id/x' in disk.symlinks",
  'glob("52:54:*", mac(link.permanent_addr))',
  "[1, 2, 3].exists(x, x == -1)",
  "a ? b : {'k': [1], \"l\": r'\\d'}",
  'memory_full_avg10 > 12.5 && time_since_trigger > duration("500ms") // why',
  "(a || b) && c[0].d()",
  "claims.?email_verified.orValue(true) == true",
  '{"a": ["b"], ?"c": d}[?claims.sub].orValue([])',
])("%s reads as CEL", (expression) => {
  expect(checkCel(expression)).toBeUndefined();
});

test.each([
  ["disk.foo ==", 'something is missing after "=="'],
  ["", "it is empty"],
  ["(a", '")" is missing'],
  ["a)", '")" closes nothing'],
  ["[a)", '")" closes nothing'],
  ["a b", 'an operator is missing before "b"'],
  ["&& a", 'something is missing before "&&"'],
  ["a == == b", 'something is missing before "=="'],
  ["'a", "\"'\" can't be there"],
  ["a; b", '";" can\'t be there'],
  ["a.", 'something is missing after "."'],
])("%s does not: %s", (expression, problem) => {
  expect(checkCel(expression)).toBe(problem);
});

test.each([
  ["disk.size > 10u * GB && !system_disk", ["disk", "GB", "system_disk"]],
  ['glob("nvme*", disk.dev_path) || "disk" == disk.model', ["disk"]],
  ["disk.symlinks.exists(link, link.startsWith(prefix))", ["disk", "prefix"]],
  ["multiply_qos_vectors(a, {System: 1.0}) > double(b) ? 1 : int(c)", ["a", "b", "c"]],
  ["memory_max.orValue(0u) == null || true", ["memory_max"]],
  ["optional.none() == x", ["x"]],
  ["claims.?email.orValue(name)", ["claims", "name"]],
  ["claims[?key].orValue([])", ["claims", "key"]],
  ["'", []],
])("%s refers to %j", (expression, names) => {
  expect(celVariables(expression)).toEqual(names);
});

test.each([
  [
    "user.extra.a == claims.?b",
    [
      ["user", "extra", "a"],
      ["claims", "b"],
    ],
  ],
  ["user.groups.exists(g, g.size() > 1) && x", [["user", "groups"], ["x"]]],
  ["claims['a'].b", [["claims"]]],
  ["a.b(", []],
])("%s reads %j", (expression, fields) => {
  const known = checkCel(expression) === undefined ? celFields(expression) : [];
  expect(known).toEqual(fields);
});
