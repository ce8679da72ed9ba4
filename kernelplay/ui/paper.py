"""The theme of figures for paper: black on white, and what differs in colour differs in grey as well."""

from __future__ import annotations

from dataclasses import replace

from kernelplay.ui.theme import LIGHT, roles_of

_BLACK, _WHITE, _INK = "#000000", "#FFFFFF", "#14171A"

PRINT = replace(
    LIGHT, name="print", text=_BLACK, text_mid=_BLACK, text_dim="#3A3A3A", frame=_BLACK, tick=_BLACK, grid=_BLACK,
    card_edge="#8A8A8A", warn="#7A4700", neutral=_WHITE, far=("#8FB6D3", "#FCE0D0"), ramp=(_WHITE, "#7FA9C6"),
    roles=roles_of(("#005A8E", "#F08A4B", "#00754F", "#E3A9CB", "#8A5A00", "#9FD6F4", "#F5EA6B", "#4A4F55"),
                   _INK, _WHITE, ink=_BLACK, mid="#2A2A2A", thin="#444444", hollow="#666666", plane=_WHITE,
                   target="#1A1A1A", target_line=_WHITE, mean="#005A8E", alarm="#B8004E",
                   player=("#6A2E90", "#00573F", "#7A4700")),
)
