import { expect, test } from "vitest";
import { ancestryOf, nodeIdOf, parentIdOf, specIdOf } from "./node-id.ts";

test("a node's id tells its own spec and every node above it", () => {
  expect(nodeIdOf(["shop", "cart-page", "tax"])).toBe("shop--cart-page--tax");
  expect(ancestryOf("shop--cart-page--tax")).toEqual(["shop", "shop--cart-page", "shop--cart-page--tax"]);
  expect(parentIdOf("shop--cart-page--tax")).toBe("shop--cart-page");
  expect(specIdOf("shop--cart-page--tax")).toBe("tax");
});

test("the root has no parent and is its own spec", () => {
  expect([parentIdOf("shop-x"), specIdOf("shop-x"), ancestryOf("shop-x")]).toEqual([
    null,
    "shop-x",
    ["shop-x"],
  ]);
});
