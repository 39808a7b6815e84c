"use client";
import { useEffect } from "react";
import { tell } from "../read.js";

export function Client() {
  useEffect(() => {
    void tell();
  }, []);
  return null;
}
