import { judgeNodeAddresses } from "../../../../provider/lifecycle/health/judgeNodeAddresses";

const excludeSubnets = ["10.244.0.0/16", "10.96.0.0/12"];

test.each([
  [["0.0.0.0/0"], ["10.0.0.11"], []],
  [["0.0.0.0/0", "::/0"], ["10.0.0.11", "fd00::11"], []],
  [["10.0.0.0/8"], ["10.0.0.11"], []],
  [["10.0.0.11"], ["10.0.0.11"], []],
  [["0.0.0.0/0", "!10.0.0.0/24", "10.0.0.11"], ["10.0.0.11"], []],
  // Nothing is chosen yet, or nothing is asked for.
  [["192.168.0.0/16"], undefined, []],
  [[], ["10.0.0.11"], []],
  [["192.168.0.0/16"], ["10.0.0.11"], ["192.168.0.0/16, so the kubelet keeps 10.0.0.11"]],
  [["0.0.0.0/0", "!10.0.0.11"], ["10.0.0.11"], ["!10.0.0.11, so the kubelet keeps 10.0.0.11"]],
  [["0.0.0.0/0"], ["10.96.0.11"], ["0.0.0.0/0, so the kubelet keeps 10.96.0.11"]],
])("of %j, a kubelet with %j", (validSubnets, addresses, problems) => {
  expect(judgeNodeAddresses({ validSubnets, excludeSubnets }, addresses)).toEqual(
    problems.map((problem) => expect.stringContaining(problem) as string),
  );
});

test("before Talos has derived what is asked for, there is nothing to judge", () => {
  expect(judgeNodeAddresses(undefined, ["10.0.0.11"])).toEqual([]);
});
