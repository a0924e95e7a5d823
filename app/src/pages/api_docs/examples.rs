//! Examples that work as pasted, with the address of this site in them.

use leptos::prelude::*;

/// What an example is for, its id, and what to paste where.
struct Example {
    id: &'static str,
    title: &'static str,
    note: &'static str,
    text: String,
}

pub(super) fn section(base: &str) -> AnyView {
    let examples: Vec<_> = examples(base).into_iter().map(one).collect();
    view! {
        <section class="section section-first" id="examples" aria-labelledby="examples-heading">
            <h2 id="examples-heading">"Examples"</h2>
            {examples}
        </section>
    }
    .into_any()
}

fn one(example: Example) -> AnyView {
    let heading = format!("example-{}-heading", example.id);
    view! {
        <div class="block">
            <h3 id=heading.clone()>{example.title}</h3>
            <p>{example.note}</p>
            <pre class="example scroll" role="region" tabindex="0" aria-labelledby=heading data-example=example.id><code>{example.text}</code></pre>
        </div>
    }
    .into_any()
}

fn examples(base: &str) -> Vec<Example> {
    let plan = "model.preset=llama-3.1-70b&training_tokens=1.5T&deadline_days=90";
    vec![
        Example {
            id: "curl-plan",
            title: "curl: a plan",
            note: "As JSON; with plans.xlsx in place of plans it is a workbook.",
            text: format!("curl -sS --fail-with-body '{base}/api/v1/plans?{plan}'"),
        },
        Example {
            id: "curl-bill",
            title: "curl: a table as CSV",
            note: "Any table of a plan: see the choices of table below.",
            text: format!(
                "curl -sS --fail-with-body -o bill.csv '{base}/api/v1/plans.csv?table=bill_of_materials&{plan}'"
            ),
        },
        Example {
            id: "curl-sheet",
            title: "curl: many scenarios from a sheet",
            note: "The first row names keys; id and name come back beside the answer. Up to 50 rows; a row that can't be planned says what to do.",
            text: format!(
                "printf '%s\\n' \\\n  'id,name,model.preset,training_tokens,deadline_days,accelerators' \\\n  'A-1,Small,llama-3.1-8b,1T,60,h100-sxm' \\\n  'A-2,Large,llama-3.1-70b,1.5T,90,\"h100-sxm,b200\"' > scenarios.csv\n\
                 curl -sS --fail-with-body -H 'Content-Type: text/csv' --data-binary @scenarios.csv \\\n  '{base}/api/v1/plans/batch.csv'"
            ),
        },
        Example {
            id: "python-plan",
            title: "Python: a plan, without a library",
            note: "The body is the same request as JSON.",
            text: format!(
                "import json, urllib.request\n\n\
                 request = {{\n    \"model\": {{\"preset\": \"llama-3.1-70b\"}},\n    \"training_tokens\": 1_500_000_000_000,\n    \"deadline_days\": 90,\n}}\n\
                 call = urllib.request.Request(\n    \"{base}/api/v1/plans\",\n    data=json.dumps(request).encode(),\n    headers={{\"Content-Type\": \"application/json\"}},\n)\n\
                 with urllib.request.urlopen(call) as answer:\n    plan = json.load(answer)\n\
                 print(plan[\"headline\"])\n\
                 for line in plan[\"bill_of_materials\"]:\n    print(line[\"quantity\"], line[\"unit\"], line[\"item\"], line.get(\"total_usd\"))"
            ),
        },
        Example {
            id: "python-estimates",
            title: "Python: many estimates in one call",
            note: "Each element of the answer is an estimate, or the problem of that element.",
            text: format!(
                "import json, urllib.request\n\n\
                 requests = [\n    {{\"model\": {{\"preset\": \"llama-3.1-8b\"}}, \"accelerator\": \"h100-sxm\", \"gpus\": gpus}}\n    for gpus in (8, 16, 32, 64)\n]\n\
                 call = urllib.request.Request(\n    \"{base}/api/v1/estimates\",\n    data=json.dumps(requests).encode(),\n    headers={{\"Content-Type\": \"application/json\"}},\n)\n\
                 with urllib.request.urlopen(call) as answer:\n    for request, estimate in zip(requests, json.load(answer)):\n        print(request[\"gpus\"], estimate.get(\"tokens_per_second_per_gpu\", estimate.get(\"detail\")))"
            ),
        },
        Example {
            id: "power-query",
            title: "Excel: Power Query",
            note: "Data, Get Data, From Other Sources, Blank Query, Advanced Editor; the connection is anonymous. It refreshes with the workbook.",
            text: format!(
                "let\n    Answer = Web.Contents(\n        \"{base}\",\n        [\n            RelativePath = \"api/v1/plans.csv\",\n            Query = [\n                table = \"bill_of_materials\",\n                #\"model.preset\" = \"llama-3.1-70b\",\n                training_tokens = \"1.5T\",\n                deadline_days = \"90\"\n            ]\n        ]\n    ),\n\
                 \x20   Source = Csv.Document(Answer, [Delimiter = \",\", Encoding = 65001, QuoteStyle = QuoteStyle.Csv]),\n\
                 \x20   Rows = Table.PromoteHeaders(Source, [PromoteAllScalars = true]),\n\
                 \x20   Typed = Table.TransformColumnTypes(\n        Rows,\n        {{{{\"quantity\", type number}}, {{\"unit_usd\", type number}}, {{\"total_usd\", Currency.Type}}}},\n        \"en-US\"\n    )\n\
                 in\n    Typed"
            ),
        },
        Example {
            id: "google-sheets",
            title: "Google Sheets",
            note: "In one cell; the table fills the cells around it. Sheets asks again each hour while the document is open. The site must be reachable from the internet by https.",
            text: format!("=IMPORTDATA(\"{base}/api/v1/plans.csv?table=tiers&{plan}\", \",\", \"en_US\")"),
        },
        Example {
            id: "libreoffice-value",
            title: "LibreOffice Calc: one figure in one cell",
            note: "Any column of the table summary that is a number. For a whole table: Sheet, Link to External Data, with the address of a .csv.",
            text: format!("=NUMBERVALUE(WEBSERVICE(\"{base}/api/v1/plans/value/total_usd?{plan}\"); \".\")"),
        },
        Example {
            id: "feed-sheets",
            title: "Google Sheets: a saved scenario",
            note: "A feed is a link to one scenario, as data: make one on the page of the scenario, or with POST /scenarios/{id}/links and kind feed, and put its token in place of TOKEN. It gives what the scenario has now, until the link ends or is paused or revoked.",
            text: format!("=IMPORTDATA(\"{base}/api/v1/feeds/TOKEN/bill_of_materials.csv\", \",\", \"en_US\")"),
        },
        Example {
            id: "feed-libreoffice",
            title: "LibreOffice Calc: one figure of a saved scenario",
            note: "For a whole table: Sheet, Link to External Data, with the address of a .csv of the feed.",
            text: format!("=NUMBERVALUE(WEBSERVICE(\"{base}/api/v1/feeds/TOKEN/value/total_usd\"); \".\")"),
        },
        Example {
            id: "feed-excel",
            title: "Excel: one figure of a saved scenario",
            note: "WEBSERVICE is a function of Excel for Windows; elsewhere Power Query reads the address of a .csv of the feed.",
            text: format!("=NUMBERVALUE(WEBSERVICE(\"{base}/api/v1/feeds/TOKEN/value/total_usd\"), \".\")"),
        },
        Example {
            id: "curl-scenario",
            title: "curl: save a scenario",
            note: "With a token of the team that may write. Sent again with the same Idempotency-Key within 24 hours, it is not saved twice.",
            text: format!(
                "curl -sS --fail-with-body -H \"Authorization: Bearer $TOKEN\" -H 'Idempotency-Key: plan-a-1' \\\n  --json '{{\"name\": \"Plan A\", \"request\": {{\"model\": {{\"preset\": \"llama-3.1-70b\"}}}}}}' \\\n  '{base}/api/v1/scenarios'"
            ),
        },
        Example {
            id: "excel-value",
            title: "Excel: one figure in one cell",
            note: "WEBSERVICE is a function of Excel for Windows.",
            text: format!("=NUMBERVALUE(WEBSERVICE(\"{base}/api/v1/plans/value/total_usd?{plan}\"), \".\")"),
        },
    ]
}
