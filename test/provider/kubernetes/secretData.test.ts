import { withTextsInData } from "../../../provider/kubernetes/secretData";

describe("the texts of a Secret", () => {
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "keys" } };

  it("are encoded in its data, before values that are there", () => {
    const given = { ...secret, data: { a: "MA==", b: "Mg==" }, stringData: { a: "1", c: "" } };
    const data = { a: "MQ==", b: "Mg==", c: "" };
    expect(withTextsInData(given)).toEqual({ ...secret, data });
  });

  it("stay where the API server refuses them, or means something else", () => {
    const misfit = { ...secret, stringData: { a: 1 } };
    expect(withTextsInData(misfit)).toBe(misfit);
    const other = { ...secret, kind: "Widget", stringData: { a: "1" } };
    expect(withTextsInData(other)).toBe(other);
  });
});
