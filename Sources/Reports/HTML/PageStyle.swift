/// The style of the page, on a screen, in dark mode and on paper. Text has a contrast of at least 4.5:1 with its background
/// (WCAG 2.2, 1.4.3) and shapes of 3:1 (1.4.11), except for raw intervals and shading, which are meant to stay in the
/// background.
enum PageStyle {
  /// The style sheet, without characters that HTML and XML interpret differently.
  static let text = light + dark + page + tables + plots + media

  private static let light = """
    :root{color-scheme:light dark;--back:#fff;--text:#1b1e22;--soft:#565e68;--rule:#d5dae0;--line:#0b5cad;--raw:#9aa4b0;
    --gap:#e3e6ea;--refused:#f3d3d0;--ribbon:#bcd7f2;--ellipse:#a3320b;--vlf:#ece6f7;--lf:#dff0e2;--hf:#fdebd2;
    --ectopic:#b8400a;--missed:#6d28d9;--extra:#047857;--long-short:#be123c}

    """

  private static let dark = """
    @media screen and (prefers-color-scheme:dark){:root{--back:#14171b;--text:#e8eaed;--soft:#a9b1bb;--rule:#363d46;
    --line:#6cb2ff;--raw:#5f6975;--gap:#2a3038;--refused:#4d2427;--ribbon:#234a73;--ellipse:#ffb08a;--vlf:#2c2540;
    --lf:#1c3524;--hf:#42311a;--ectopic:#fb923c;--missed:#c4b5fd;--extra:#34d399;--long-short:#fb7185}}

    """

  private static let page = """
    *{box-sizing:border-box}
    body{margin:0;background:var(--back);color:var(--text);font:16px/1.5 system-ui,sans-serif}
    main{max-width:64rem;margin:0 auto;padding:1rem}
    h1{font-size:1.6rem;line-height:1.25;margin:0;overflow-wrap:anywhere}
    h2{font-size:1.25rem;margin:2rem 0 .5rem;border-bottom:1px solid var(--rule)}
    h3{font-size:1rem;margin:0 0 .25rem}
    p{margin:.25rem 0}
    header p,footer,figcaption{color:var(--soft)}
    footer{margin-top:2rem;border-top:1px solid var(--rule);padding-top:.5rem;font-size:.875rem}

    """

  private static let tables = """
    table{border-collapse:collapse;width:100%;margin:0 0 1rem;font-variant-numeric:tabular-nums;break-inside:avoid}
    caption{text-align:left;font-weight:600;padding:.25rem 0}
    th,td{text-align:left;font-weight:400;padding:.15rem .5rem .15rem 0;border-top:1px solid var(--rule);
    vertical-align:top;overflow-wrap:anywhere}
    th{color:var(--soft)}
    .facts th{width:45%}
    .metrics{break-inside:auto;table-layout:fixed}
    .metrics thead th:first-child{width:34%}
    .metrics td,.metrics thead th+th{text-align:right}
    .metrics .reason{color:var(--soft);font-size:.875rem}
    .metrics .group{color:var(--text);font-weight:600;padding-top:.6rem}
    tr{break-inside:avoid}
    @media print,(min-width:48rem){[aria-labelledby=summary-heading]{display:grid;grid-template-columns:1fr 1fr;
    column-gap:2rem;align-items:start}
    [aria-labelledby=summary-heading] h2{grid-column:1/-1}}

    """

  private static let plots = """
    .plots{display:grid;gap:1.5rem;grid-template-columns:minmax(0,1fr)}
    @media print,(min-width:48rem){.plots{grid-template-columns:repeat(2,minmax(0,1fr))}.whole{grid-column:1/-1}}
    figure{margin:0;break-inside:avoid}
    svg{display:block;width:100%;height:auto}
    svg text{fill:var(--soft);font-size:10.5px}
    .half text{font-size:14.5px}
    path{fill:none;stroke-linejoin:round;stroke-linecap:round}
    .grid{stroke:var(--rule);stroke-width:1}
    .frame{stroke:var(--soft);stroke-width:1}
    .raw{stroke:var(--raw);stroke-width:1}
    .corrected{stroke:var(--line);stroke-width:1.4}
    .ribbon{fill:var(--ribbon)}
    .gap{fill:var(--gap)}
    .refused{fill:var(--refused)}
    .bars{fill:var(--line);stroke:var(--back);stroke-width:.5}
    .points{stroke:var(--line);stroke-width:3;opacity:.7}
    .faint{opacity:.45}
    .dense{opacity:1}
    .identity{stroke:var(--soft);stroke-width:1;stroke-dasharray:4 4}
    .ellipse{fill:none;stroke:var(--ellipse);stroke-width:2}
    .band-vlf{fill:var(--vlf)}
    .band-lf{fill:var(--lf)}
    .band-hf{fill:var(--hf)}
    .ectopic,.missed,.extra,.longShort{stroke:var(--back);stroke-width:.6}
    .ectopic{fill:var(--ectopic)}
    .missed{fill:var(--missed)}
    .extra{fill:var(--extra)}
    .longShort{fill:var(--long-short)}
    .keys{list-style:none;display:flex;flex-wrap:wrap;gap:.1rem 1.25rem;margin:.25rem 0;padding:0;font-size:.875rem}
    .keys li{display:flex;align-items:center;gap:.4rem}
    figcaption p{font-size:.875rem}
    .key{width:22px;height:14px;flex:none}
    .key .gap,.key .refused,.key .band-vlf,.key .band-lf,.key .band-hf{stroke:var(--soft);stroke-width:.75}
    .key .points{stroke-width:6}

    """

  private static let media = """
    @media screen and (max-width:47.99rem){svg text{font-size:22px}.half text{font-size:19px}.corrected{stroke-width:2}
    main{padding:.75rem}}
    @media print{body{font-size:10pt}main{max-width:none;padding:0}h2,h3,caption{break-after:avoid}
    .plots,[aria-labelledby=summary-heading]{gap:.5rem 1.5rem}.facts{margin:0 0 .5rem}h2{margin-top:1rem}
    *{print-color-adjust:exact;-webkit-print-color-adjust:exact}}

    """
}
