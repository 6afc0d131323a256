/** The matrix's styles beyond those of the page. A row of transcripts takes no room until one of them is the target. */
export const MATRIX_STYLE: string = `
.matrix{background:var(--card);border:1px solid var(--line);border-radius:8px;border-collapse:separate;border-spacing:0;table-layout:fixed}
.matrix th,.matrix td{white-space:normal;padding:5px 8px;overflow-wrap:anywhere}.matrix th:first-child{width:27%;padding-left:16px}
.matrix thead th{position:sticky;top:0;background:var(--card);z-index:2;color:var(--ink);font-weight:600}.matrix thead th:first-child{border-top-left-radius:8px}.matrix thead th:last-child{border-top-right-radius:8px}
.matrix small{display:block;color:var(--soft);font-weight:400;font-size:.75rem}
.phenomenon>*{background:var(--sunk);color:var(--ink)}.phenomenon th{font-weight:400}.phenomenon b{margin-right:4px}
main>.quiet{margin:14px 0}.sum{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 8px;font-size:.8rem;color:var(--soft);padding:0 9px}.sum b{margin:0}.sum.contradicts{color:var(--bug);font-weight:600}.sum.open{color:var(--inconclusive);font-weight:600}
.schedule th{color:var(--ink);font-weight:400}
.cell{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 8px;align-items:baseline;border-radius:5px;padding:3px 8px;text-decoration:none;font-weight:600;font-size:.85rem;border:1px solid transparent}
.cell small{color:inherit;font-weight:400}.cell:hover{border-color:currentColor}
.cell.bug{background:var(--bug-bg);color:var(--bug)}.cell.undocumented{background:var(--undocumented-bg);color:var(--undocumented)}.cell.documented{background:var(--documented-bg);color:var(--documented)}.cell.inconclusive{background:var(--inconclusive-bg);color:var(--inconclusive)}.cell.clean{background:var(--clean-bg);color:var(--clean)}.cell.plain,.badge.plain{background:var(--sunk);color:var(--soft)}
.matrix .unfold td{padding:0;border-bottom:0}
.transcript{display:none;padding:12px 16px 16px;border-bottom:1px solid var(--line);border-left:4px solid var(--focus);scroll-margin-top:5rem}.transcript:target{display:block}
.schedule{scroll-margin-top:4rem}
.transcript .head{display:flex;justify-content:space-between;gap:12px}.transcript .promise{margin:0 0 10px}.start{margin:0 0 4px;color:var(--soft)}
.found{font-size:.88rem;margin-top:8px;overflow-wrap:anywhere}.found ol{margin:4px 0 0;padding-left:20px;color:var(--soft)}
.legend{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,420px),1fr));gap:4px 20px;font-size:.88rem;margin:0}.legend div{display:flex;gap:10px}.legend dt{flex:none;width:7.5rem;font-weight:600}.legend dd{margin:0;color:var(--soft)}
@media (max-width:760px){
.top,main{padding:0 12px}.top{padding-top:18px}
.matrix,.matrix tbody,.matrix tr,.matrix th,.matrix td{display:block;width:auto}.matrix thead{display:none}.matrix th:first-child{width:auto;padding:8px 12px 2px}
.matrix tr{border-bottom:1px solid var(--line)}.matrix td,.matrix th{border-bottom:0}.matrix .unfold{border-bottom:0}
.phenomenon td,.schedule td{display:grid;grid-template-columns:9.5rem minmax(0,1fr);gap:8px;align-items:center;padding:2px 12px}.phenomenon td:last-child,.schedule td:last-child{padding:2px 12px 8px}
.phenomenon td::before,.schedule td::before{content:attr(data-level);color:var(--soft);font-size:.8rem}
}
`;
